; What is defined
(method name: (_) @name parameters: (_)? @params) @function
(singleton_method name: (_) @name parameters: (_)? @params) @function
(class name: (_) @name superclass: (superclass (_) @extends)?) @class
(module name: (_) @name) @class
((body_statement (identifier) @_word (method) @private)
  (#any-of? @_word "private" "protected"))
((call method: (identifier) @_word arguments: (argument_list (method) @private))
  (#any-of? @_word "private" "protected"))
((method name: (_) @_name) @private (#eq? @_name "initialize"))

; What others can use
(class name: (_) @name) @export.class
(module name: (_) @name) @export.class
(program (method name: (_) @name) @export.function)
(program (assignment left: (constant) @name @export.const))

; What it uses
((call !receiver
  method: (identifier) @_method
  arguments: (argument_list (string (string_content) @source))) @import @everything
  (#any-of? @_method "require" "require_relative" "load"))

; What it calls; a name alone may be a call as well
(call !receiver method: (identifier) @call.implicit)
(call receiver: [(self) (constant)] @on method: (_) @call)
(body_statement (identifier) @call.implicit)
