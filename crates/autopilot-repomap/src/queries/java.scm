; What is defined
(class_declaration name: (_) @name superclass: (superclass (_) @extends)?) @class
(interface_declaration name: (_) @name) @class
(interface_declaration (extends_interfaces (type_list (_) @extends))) @class
(enum_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(annotation_type_declaration name: (_) @name) @class
(method_declaration type: (_) @returns name: (_) @name parameters: (_) @params) @function
(constructor_declaration name: (_) @name parameters: (_) @params) @function
(method_declaration (modifiers "private")) @private
(constructor_declaration) @private

; What others can use
(program (class_declaration (modifiers "public") name: (_) @name) @export.class)
(program (record_declaration (modifiers "public") name: (_) @name) @export.class)
(program (interface_declaration (modifiers "public") name: (_) @name) @export.interface)
(program (annotation_type_declaration (modifiers "public") name: (_) @name) @export.interface)
(program (enum_declaration (modifiers "public") name: (_) @name) @export.enum)

; What it uses
(import_declaration (scoped_identifier scope: (_) @source name: (_) @imported) . ";") @import
(import_declaration (_) @source . (asterisk) @everything) @import

; What it calls
(method_invocation !object name: (_) @call.implicit)
(method_invocation object: [(this) (identifier)] @on name: (_) @call)
(object_creation_expression type: (type_identifier) @call)
