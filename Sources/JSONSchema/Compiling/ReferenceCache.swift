import JSON

/// Where references lead, so that a thousand equal ones are resolved once.
struct ReferenceCache {
    private struct Key: Hashable {
        var resource: Int32
        var text: ExactText
    }

    private var places: [Key: Int32] = [:]

    subscript(resource: Int32, text: String) -> Int32? {
        get { places[Key(resource: resource, text: ExactText(text))] }
        set { places[Key(resource: resource, text: ExactText(text))] = newValue }
    }
}
