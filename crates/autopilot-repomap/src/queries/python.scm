; What is defined
(function_definition name: (_) @name parameters: (_) @params return_type: (_)? @returns) @function
(class_definition name: (_) @name) @class
(class_definition
  superclasses: (argument_list [(identifier) (attribute) (subscript)] @extends)) @class
((function_definition name: (_) @_name) @private (#match? @_name "^_"))

; What others can use
(module (function_definition name: (_) @name) @export.function (#not-match? @name "^_"))
(module (class_definition name: (_) @name) @export.class (#not-match? @name "^_"))
(module (decorated_definition
  definition: (function_definition name: (_) @name) @export.function (#not-match? @name "^_")))
(module (decorated_definition
  definition: (class_definition name: (_) @name) @export.class (#not-match? @name "^_")))
(module (expression_statement
  (assignment left: (identifier) @name @export.const (#not-match? @name "^_"))))

; What it uses
(import_statement name: (dotted_name) @source @everything @import)
(import_statement name: (aliased_import name: (_) @source) @everything @import)
(import_from_statement module_name: (_) @source) @import
(import_from_statement name: (dotted_name) @imported) @import
(import_from_statement name: (aliased_import name: (_) @imported)) @import
(import_from_statement (wildcard_import) @everything) @import

; What it calls
(call function: (identifier) @call)
(call function: (attribute object: (identifier) @on attribute: (_) @call))
