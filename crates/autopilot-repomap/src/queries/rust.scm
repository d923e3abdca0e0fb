; What is defined
(function_item name: (_) @name parameters: (_) @params return_type: (_)? @returns) @function
(function_signature_item name: (_) @name parameters: (_) @params return_type: (_)? @returns) @function
(struct_item name: (_) @name) @class
(enum_item name: (_) @name) @class
(union_item name: (_) @name) @class
(trait_item name: (_) @name bounds: (trait_bounds (_) @extends)?) @class
(impl_item
  type: [
    (type_identifier) @name
    (generic_type type: (type_identifier) @name)
    (scoped_type_identifier name: (_) @name)
  ]) @members
((mod_item name: (_) @_name body: (_)) @hidden (#eq? @_name "tests"))
(impl_item !trait
  body: (declaration_list (function_item) @private (#not-match? @private "^pub")))

; What others can use
(source_file (function_item (visibility_modifier) name: (_) @name) @export.function)
(source_file (struct_item (visibility_modifier) name: (_) @name) @export.class)
(source_file (union_item (visibility_modifier) name: (_) @name) @export.class)
(source_file (enum_item (visibility_modifier) name: (_) @name) @export.enum)
(source_file (trait_item (visibility_modifier) name: (_) @name) @export.interface)
(source_file (type_item (visibility_modifier) name: (_) @name) @export.type)
(source_file (const_item (visibility_modifier) name: (_) @name) @export.const)
(source_file (static_item (visibility_modifier) name: (_) @name) @export.const)
(use_declaration (visibility_modifier) argument: (scoped_identifier name: (_) @name @export.const))
(use_declaration (visibility_modifier) argument: (use_as_clause alias: (_) @name @export.const))
(use_declaration (visibility_modifier)
  argument: (scoped_use_list list: (use_list [
    (identifier) @name @export.const
    (scoped_identifier name: (_) @name @export.const)
    (use_as_clause alias: (_) @name @export.const)
  ])))

; What it uses: an import inside of another one goes on from its source
(use_declaration argument: (identifier) @source @everything @import)
(use_declaration argument: (scoped_identifier path: (_) @source name: (_) @imported) @import)
(use_list (scoped_identifier path: (_) @source name: (_) @imported) @import)
(use_as_clause path: (scoped_identifier path: (_) @source name: (_) @imported) @import)
(use_declaration argument: (use_as_clause path: (identifier) @source @everything @import))
(scoped_use_list
  path: (_)? @source
  list: (use_list [(identifier) (self)] @imported)) @import
(scoped_use_list path: (_) @source) @import
(scoped_use_list list: (use_list (use_as_clause path: (identifier) @imported))) @import
(use_wildcard (_) @source) @import @everything

; What it calls
(call_expression function: (identifier) @call)
(call_expression function: (scoped_identifier path: (_) @on name: (_) @call))
(call_expression function: (field_expression value: (self) @on field: (_) @call))
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (generic_function function: (scoped_identifier path: (_) @on name: (_) @call)))
