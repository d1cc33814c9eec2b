package import Basics
package import JSON

/// A value on the edge of what a schema allows, or a step beyond it.
package struct SchemaVariant: Sendable {
    /// The duty of a reader of such values.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The schema allows it: a reader has to take it.
        case legal
        /// The schema refuses it, but the next version of the API may allow it: a tolerant reader takes it.
        case evolution
        /// The schema refuses it: a reader that takes it does not look.
        case illegal
    }

    /// A short phrase that no other variant of the schema has: `/data/badge is null`, `/id is empty (2)`.
    package var label: String
    /// The label without the number that distinguishes variants with the same phrase: `/id is empty`.
    package var phrase: String
    package var kind: Kind
    package var value: JSONValue
    /// The value without members that no schema knows: what a reader's result is compared with.
    package var known: JSONValue
    /// The text, which for some variants is laid out in its own way.
    package var body: [UInt8]
    /// The place in the value that the variant is about.
    package var place: JSONPointer
    /// The absolute URI of the schema that describes this place, pointer included.
    package var schema: String
    /// The position of that schema.
    package var schemaPosition: JSONPosition
    /// A Boolean value that indicates whether it may have another of the values and branches that a schema lists than
    /// the first variant has.
    package var mayChoose = false
    /// A Boolean value that indicates whether it is legal by the letter, but almost no server writes so and most
    /// readers cannot read it.
    package var isRare = false
    package var freedoms = VariantFreedoms()

    package init(
        _ label: String,
        _ kind: Kind,
        _ value: JSONValue,
        known: JSONValue? = nil,
        body: [UInt8]? = nil,
        at place: JSONPointer = JSONPointer(),
        schema: String = "",
        schemaPosition: JSONPosition = .unknown
    ) {
        self.label = label
        phrase = label
        self.kind = kind
        self.value = value
        self.known = known ?? value
        self.body = body ?? value.utf8()
        self.place = place
        self.schema = schema
        self.schemaPosition = schemaPosition
    }
}

/// The changes that a reader may make to values, by places with a star for the number of each element and for the key of
/// each entry of a map.
package struct VariantFreedoms: Sendable {
    /// The objects that are maps, with the names of members that are not entries.
    package var maps: [JSONPointer: Set<ExactText>] = [:]
    /// The arrays whose elements are unique, which readers keep as a set without an order.
    package var sets: Set<JSONPointer> = []
    /// The numbers of the format `float`, of which readers keep 24 bits.
    package var floats: Set<JSONPointer> = []
    /// The texts of formats of numbers, such as `decimal`, which readers keep as numbers.
    package var numbersInTexts: Set<JSONPointer> = []
    /// The values of `default`, as which readers keep what is absent (JSON Schema 2020-12, validation, section 9.2).
    package var defaults: [JSONPointer: JSONValue] = [:]
    /// The numbers that are dates by their names, such as `created_at`.
    package var dates: Set<JSONPointer> = []
    /// The units of the numbers that readers keep as a date, where a documented example shows the unit.
    package var timeUnits: [JSONPointer: TimeUnit] = [:]

    package init() {}

    /// A place with a star for the number of each element and for the key of each entry of a map.
    package func general(_ place: JSONPointer) -> JSONPointer {
        guard !maps.isEmpty else { return place.general }
        return JSONPointer(
            tokens: place.tokens.reduce(into: []) { tokens, token in
                let isEntry = isEntry(token, of: JSONPointer(tokens: tokens))
                tokens.append(isEntry ?? (JSONPointer.index(token) != nil) ? "*" : token)
            }
        )
    }

    /// Returns whether a member of an object is an entry of a map; `nil` if the object is not a map.
    ///
    /// - Parameter place: the object's place, with stars.
    package func isEntry(_ name: String, of place: JSONPointer) -> Bool? {
        maps[place].map { !$0.contains(name.exact) }
    }
}

/// The unit of a number that counts the time since 1970.
package enum TimeUnit: String, Sendable, Hashable {
    case seconds, milliseconds

    /// The unit in which a number is a moment of the years 1982 to 2100; `nil` for all other numbers.
    init?(_ number: JSONNumber) {
        let moments = 4e8...4.1e9
        let number = number.double
        if moments.contains(number) {
            self = .seconds
        } else if moments.contains(number / 1_000) {
            self = .milliseconds
        } else {
            return nil
        }
    }
}

/// The most variants that are made of one schema.
package struct VariantLimits: Sendable, Hashable {
    package var legal: Int
    package var evolution: Int
    package var illegal: Int
    /// The bytes of JSON that may be looked at for them, so that large values do not multiply without end.
    package var bytes = 24_000_000

    package init(legal: Int = 240, evolution: Int = 40, illegal: Int = 160) {
        self.legal = legal
        self.evolution = evolution
        self.illegal = illegal
    }

    subscript(kind: SchemaVariant.Kind) -> Int {
        switch kind {
        case .legal: legal
        case .evolution: evolution
        case .illegal: illegal
        }
    }
}

/// The aspect that a variant tests; when there are too many variants, every aspect keeps its share.
enum VariantAspect: Int, CaseIterable {
    case whole
    case absence
    case null
    case choice
    case element
    case number
    case text
    case moment
    case stranger
    case layout
    case pair
    case chance
}

/// A place of a value, and what all schemas that hold there require.
struct VariantPlace {
    var pointer: JSONPointer
    var value: JSONValue
    /// The schemas that hold here, before any choice.
    var schemas: [SchemaID]
    /// The requirements of these schemas, by the branches that the value takes.
    var constraints: Conjunction
    var role: Role
    /// The absolute URI of the schema that describes the place first.
    var schema: String
    var schemaPosition: JSONPosition
    /// The branches among which the value has chosen.
    var branches: [SchemaID]
    /// The members by which a `discriminator` shows what the value is.
    var tags: Set<ExactText>
    /// A Boolean value that indicates whether the place is such a member: another text there would name another schema,
    /// or none.
    var isTag = false
    /// A Boolean value that indicates whether the place shows of which branch of a choice the object around it is.
    var showsKind = false
    /// The value of `default`.
    var assumed: JSONValue?
    /// The first documented example of the place.
    var example: JSONValue?

    enum Role {
        case whole
        case element
        case member(isRequired: Bool)
    }

    var isRequiredMember: Bool {
        if case .member(isRequired: true) = role { true } else { false }
    }

    /// The name of the place in labels.
    var name: String { pointer.isRoot ? "the body" : pointer.description }
}
