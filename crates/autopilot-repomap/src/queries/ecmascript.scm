; What is defined
(function_declaration name: (_) @name parameters: (_) @params) @function
(generator_function_declaration name: (_) @name parameters: (_) @params) @function
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function parameters: (_) @params)
    (arrow_function parameter: (_) @params)
    (function_expression parameters: (_) @params)
  ]) @function
(class_body (method_definition name: (_) @name parameters: (_) @params) @function)
(class_declaration name: (_) @name) @class
(variable_declarator name: (identifier) @name value: (class)) @class
(method_definition name: (private_property_identifier)) @private
((method_definition name: (_) @_name) @private (#eq? @_name "constructor"))

; What others can use
(export_statement declaration: (function_declaration name: (_) @name) @export.function)
(export_statement declaration: (generator_function_declaration name: (_) @name) @export.function)
(export_statement declaration: (class_declaration name: (_) @name) @export.class)
(export_statement
  declaration: (lexical_declaration (variable_declarator name: (identifier) @name @export.const)))
(export_statement
  declaration: (variable_declaration (variable_declarator name: (identifier) @name @export.const)))
(export_statement "default") @export.default
(export_statement "default" declaration: (_ name: (_) @name)) @export.default
(export_statement "default" value: (identifier) @name) @export.default
(export_specifier !alias name: (_) @name) @export.const
(export_specifier name: (_) @local alias: (_) @name) @export.const
(export_statement (namespace_export (_) @name)) @export.const
(export_statement "*" @name source: (_)) @export.const
((assignment_expression
  left: (member_expression) @_left
  right: [
    (identifier) @name
    (class)
    (function_expression)
    (arrow_function)
    (call_expression)
    (new_expression)
  ]) @export.default (#eq? @_left "module.exports"))
((assignment_expression
  left: (member_expression) @_left
  right: (object [
    (shorthand_property_identifier) @name @export.const
    (pair key: (property_identifier) @name @export.const)
    (method_definition name: (property_identifier) @name @export.function)
  ])) (#eq? @_left "module.exports"))
((assignment_expression
  left: (member_expression object: (_) @_object property: (_) @name @export.const))
  (#any-of? @_object "exports" "module.exports"))

; What it uses
(import_statement source: (string (string_fragment) @source)) @import
(import_statement (import_clause (identifier) @imported)) @import
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @imported)))) @import
(import_statement (import_clause (namespace_import) @everything)) @import
(export_statement source: (string (string_fragment) @source)) @import
(export_statement (export_clause (export_specifier name: (_) @imported)) source: (_)) @import
(export_statement (namespace_export) @everything source: (_)) @import
(export_statement "*" @everything source: (_)) @import
((variable_declarator
  name: [
    (identifier) @imported
    (object_pattern (shorthand_property_identifier_pattern) @imported)
    (object_pattern (pair_pattern key: (_) @imported))
  ]
  value: (call_expression
    function: (identifier) @_function
    arguments: (arguments (string (string_fragment) @source)))) @import
  (#eq? @_function "require"))
((expression_statement
  (call_expression
    function: (identifier) @_function
    arguments: (arguments (string (string_fragment) @source))) @import)
  (#eq? @_function "require"))
(call_expression
  function: (import)
  arguments: (arguments (string (string_fragment) @source))) @import @everything

; What it calls
(call_expression function: (identifier) @call)
(call_expression
  function: (member_expression object: [(this) (identifier)] @on property: (_) @call))
(new_expression constructor: (identifier) @call)
