import JSON
import JSONSchema

extension SchemaVariant {
    /// The variant without some members.
    ///
    /// - Returns: `nil` for a variant that is about one of them, or about the layout of its text.
    func leavingOut(_ members: [JSONPointer]) -> SchemaVariant? {
        guard body == value.utf8(), !members.contains(where: { $0.isAround(place) }) else { return nil }
        var variant = self
        for member in members {
            variant.value = variant.value.replacing(member, with: nil)
            variant.known = variant.known.replacing(member, with: nil)
        }
        variant.body = variant.value.utf8()
        return variant
    }
}
