import JSON

extension ContractBuilder {
    /// The parameters of an operation or a path item.
    mutating func parameters(_ list: ContractNode?) -> [Parameter] {
        var parameters: [Parameter] = []
        for element in list?.elements ?? [] {
            guard let node = resolved(element), let name = node.value["name"]?.string,
                let location = node.value["in"]?.string.flatMap(Parameter.Location.init)
            else { continue }
            parameters.append(parameter(node, name: name, in: location))
        }
        return parameters
    }

    /// Header fields of a response or a part, which are parameters without a name and a place of their own.
    mutating func headers(_ map: ContractNode?, depth: Int = 0) -> [Parameter] {
        var headers: [Parameter] = []
        for (name, member) in map?.members ?? [] {
            guard let node = resolved(member), node.object != nil else { continue }
            headers.append(parameter(node, name: name, in: .header, depth: depth))
        }
        return headers
    }

    private mutating func parameter(
        _ node: ContractNode,
        name: String,
        in location: Parameter.Location,
        depth: Int = 0
    ) -> Parameter {
        let style = node.value["style"]?.string.flatMap(Parameter.Style.init) ?? location.defaultStyle
        return Parameter(
            name: name,
            location: location,
            isRequired: location == .path || node.value["required"]?.bool ?? false,
            style: style,
            explode: node.value["explode"]?.bool ?? (style == .form),
            allowsReserved: node.value["allowReserved"]?.bool ?? false,
            allowsEmptyValue: node.value["allowEmptyValue"]?.bool ?? false,
            isDeprecated: node.value["deprecated"]?.bool ?? false,
            schema: schema(node["schema"]),
            content: content(node["content"], depth: depth).first,
            examples: examples(node),
            position: node.position
        )
    }
}

extension Parameter.Location {
    /// OpenAPI 3.1, section 4.8.12.2.
    var defaultStyle: Parameter.Style {
        switch self {
        case .query, .cookie: .form
        case .path, .header: .simple
        }
    }
}
