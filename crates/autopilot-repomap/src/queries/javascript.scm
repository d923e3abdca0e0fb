; What only JavaScript writes like this
(class_declaration (class_heritage (_) @extends)) @class
(variable_declarator value: (class (class_heritage (_) @extends))) @class
(field_definition property: (_) @name value: (arrow_function parameters: (_) @params)) @function
(field_definition property: (private_property_identifier)) @private
