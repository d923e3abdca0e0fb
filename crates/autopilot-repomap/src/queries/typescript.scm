; What TypeScript has beyond JavaScript
(class_declaration (class_heritage (extends_clause value: (_) @extends))) @class
(variable_declarator value: (class (class_heritage (extends_clause value: (_) @extends)))) @class
(abstract_class_declaration name: (_) @name) @class
(abstract_class_declaration (class_heritage (extends_clause value: (_) @extends))) @class
(interface_declaration name: (_) @name) @class
(interface_declaration (extends_type_clause type: (_) @extends)) @class
(public_field_definition
  name: (_) @name
  value: (arrow_function parameters: (_) @params return_type: (_)? @returns)) @function
(class_body (abstract_method_signature name: (_) @name parameters: (_) @params) @function)
(interface_body (method_signature name: (_) @name parameters: (_) @params) @function)
(function_signature name: (_) @name parameters: (_) @params return_type: (_)? @returns) @function
(function_declaration return_type: (_) @returns) @function
(generator_function_declaration return_type: (_) @returns) @function
(variable_declarator
  value: [
    (arrow_function return_type: (_) @returns)
    (function_expression return_type: (_) @returns)
  ]) @function
([
  (method_definition (accessibility_modifier) @_access)
  (public_field_definition (accessibility_modifier) @_access)
  (abstract_method_signature (accessibility_modifier) @_access)
] @private (#not-eq? @_access "public"))
(public_field_definition name: (private_property_identifier)) @private

; What others can use
(export_statement declaration: (abstract_class_declaration name: (_) @name) @export.class)
(export_statement declaration: (interface_declaration name: (_) @name) @export.interface)
(export_statement declaration: (type_alias_declaration name: (_) @name) @export.type)
(export_statement declaration: (enum_declaration name: (_) @name) @export.enum)
(export_statement declaration: (function_signature name: (_) @name) @export.function)
(export_statement declaration: (internal_module name: (_) @name) @export.const)
(export_statement
  declaration: (ambient_declaration [
    (function_signature name: (_) @name @export.function)
    (class_declaration name: (_) @name @export.class)
    (abstract_class_declaration name: (_) @name @export.class)
    (interface_declaration name: (_) @name @export.interface)
    (type_alias_declaration name: (_) @name @export.type)
    (enum_declaration name: (_) @name @export.enum)
    (lexical_declaration (variable_declarator name: (identifier) @name @export.const))
    (variable_declaration (variable_declarator name: (identifier) @name @export.const))
  ]))

; What it uses
(import_statement
  (import_require_clause
    (identifier) @imported
    source: (string (string_fragment) @source))) @import
