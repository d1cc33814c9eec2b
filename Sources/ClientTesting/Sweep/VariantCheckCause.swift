import Basics
import JSON
import JSONSchema

/// Why variants of one answer were not taken as they should have been; one finding for all of them.
struct VariantCheckCause: Sendable {
    enum Kind: Sendable, Hashable {
        /// Refused by the decoder, or by what comes after it.
        case refused(DecodingReason?, outcome: String)
        /// A member did not come back as it was sent.
        case changed
        case acceptedIllegal
        case evolution
        /// Another error than with every other body of the refusal.
        case otherError(outcome: String, usual: String)
    }

    var kind: Kind
    /// In the response's body, with a star for the numbers of elements.
    var place: JSONPointer
    /// The variant that tells it best.
    var variant: SchemaVariant
    /// What became of it, for a changed value.
    var words = ""
    var count = 1
    /// Whether all variants are such as hardly any server sends.
    var isRare = false
    /// What the cause is about, apart from the variants.
    var key: Key { Key(kind: kind, place: place) }

    struct Key: Hashable, Sendable {
        var kind: Kind
        var place: JSONPointer
    }
}

/// The causes of one answer, in the order in which they were met.
struct VariantCheckCauses: Sendable {
    private(set) var all: [VariantCheckCause] = []
    private var places: [VariantCheckCause.Key: Int] = [:]

    /// Counts a cause; of its variants the one that is about the very place is kept.
    mutating func note(_ cause: VariantCheckCause) {
        guard let index = places[cause.key] else {
            places[cause.key] = all.count
            all.append(cause)
            return
        }
        all[index].count += 1
        if !cause.isRare { all[index].isRare = false }
        let known = all[index].variant
        if known.place.general != cause.place, cause.variant.place.general == cause.place {
            all[index].variant = cause.variant
            all[index].words = cause.words
        }
    }
}
