; What is defined
(function_declaration name: (_) @name parameters: (_) @params result: (_)? @returns) @function
(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      name: (_)? @self
      type: [
        (type_identifier) @owner
        (generic_type type: (_) @owner)
        (pointer_type (type_identifier) @owner)
        (pointer_type (generic_type type: (_) @owner))
      ]))
  name: (_) @name
  parameters: (_) @params
  result: (_)? @returns) @function
(method_elem name: (_) @name parameters: (_) @params result: (_)? @returns) @function
(type_spec name: (_) @name type: [(struct_type) (interface_type)]) @class
((method_declaration name: (_) @_name) @private (#match? @_name "^[a-z_]"))
((method_elem name: (_) @_name) @private (#match? @_name "^[a-z_]"))

; What others can use
(source_file (function_declaration name: (_) @name) @export.function (#match? @name "^[A-Z]"))
(source_file (type_declaration
  (type_spec name: (_) @name type: (struct_type)) @export.class (#match? @name "^[A-Z]")))
(source_file (type_declaration
  (type_spec name: (_) @name type: (interface_type)) @export.interface (#match? @name "^[A-Z]")))
(source_file (type_declaration
  (type_spec
    name: (_) @name
    type: [
      (array_type)
      (channel_type)
      (function_type)
      (generic_type)
      (map_type)
      (pointer_type)
      (qualified_type)
      (slice_type)
      (type_identifier)
    ]) @export.type (#match? @name "^[A-Z]")))
(source_file (type_declaration (type_alias name: (_) @name) @export.type (#match? @name "^[A-Z]")))
(source_file (const_declaration
  (const_spec name: (identifier) @name @export.const (#match? @name "^[A-Z]"))))
(source_file (var_declaration
  (var_spec name: (identifier) @name @export.const (#match? @name "^[A-Z]"))))
(source_file (var_declaration
  (var_spec_list (var_spec name: (identifier) @name @export.const (#match? @name "^[A-Z]")))))

; What it uses; a package with a blank name is there for what it does when it is loaded
(import_spec !name path: (_) @source) @import @everything
(import_spec name: [(package_identifier) (dot)] path: (_) @source) @import @everything
(import_spec name: (blank_identifier) path: (_) @source) @import

; What it calls
(call_expression function: (identifier) @call)
(call_expression
  function: (selector_expression operand: (identifier) @on field: (_) @call))
