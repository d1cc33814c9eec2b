import Basics
import JSON

/// The parts of a program: flat lists, whose entries refer to each other by number.
///
/// A class, so that a schema which is handed around costs one reference and not a dozen.
final class CompiledSchemas: Sendable {
    let nodes: [SchemaNode]
    let applicators: [Applicator]
    let links: [Int32]
    let dynamicReferences: [DynamicReference]
    let values: [ValueSet]
    let numbers: [NumberRules]
    let strings: [StringRules]
    let arrays: [ArrayRules]
    let objects: [ObjectRules]
    /// The same nodes with each reference as it is written, for those who read schemas.
    let written: ProgramDraft
    /// The nodes that replace others in validation: the targets of those which only refer to them.
    let aliases: [Int32]
    /// The places of the nodes.
    let places: PlaceTree
    /// The node of each place, or -1.
    let placeNodes: [Int32]
    let resourceURIs: [String]
    /// The place where each resource begins.
    private let resourcePlaces: [ExactText: Int32]
    /// The nodes that have errors themselves.
    let broken: Set<Int32>
    /// The nodes that cannot be used, because something is wrong with them or with one that they lead to.
    let damaged: Set<Int32>
    /// A Boolean value that indicates whether a format may decide between alternatives.
    let hasDistinguishingFormats: Bool
    let samples = SampleTables()
    private let facts = Lock<[SchemaID: SchemaFacts]>([:])

    init(
        _ draft: ProgramDraft,
        written: ProgramDraft,
        aliases: [Int32],
        places: PlaceTree,
        placeNodes: [Int32],
        resourceURIs: [String],
        broken: Set<Int32>,
        damaged: Set<Int32>
    ) {
        self.broken = broken
        self.damaged = damaged
        hasDistinguishingFormats = written.annotations.contains(where: \.formatDistinguishes)
        self.written = written
        self.aliases = aliases
        self.placeNodes = placeNodes
        var roots: [ExactText: Int32] = [:]
        for (number, place) in places.places.enumerated()
        where place.parent < 0 || places[place.parent].resource != place.resource {
            roots[ExactText(resourceURIs[Int(place.resource)])] = Int32(number)
        }
        resourcePlaces = roots
        nodes = draft.nodes
        applicators = draft.applicators
        links = draft.links
        dynamicReferences = draft.dynamicReferences
        values = draft.values
        numbers = draft.numbers
        strings = draft.strings
        arrays = draft.arrays
        objects = draft.objects
        self.places = places
        self.resourceURIs = resourceURIs
    }
}

extension CompiledSchemas {
    /// Returns whether a value is of the format that a node has for alternatives; true for one without.
    func hasDistinguishingFormat(_ index: Int, _ value: JSONValue) -> Bool {
        let number = nodes[index].annotations
        guard number >= 0, written.annotations[Int(number)].formatDistinguishes,
            let format = written.annotations[Int(number)].format
        else { return true }
        switch value.content {
        case .string(let text): return StringFormat(rawValue: format)?.accepts(text) ?? true
        case .number(let number): return IntegerFormat(rawValue: format)?.accepts(number) ?? true
        default: return true
        }
    }

    /// The node that validates by a schema.
    func node(of id: SchemaID) -> Int32 { aliases[Int(id.number)] }

    func place(of id: SchemaID) -> Int32 { written.nodes[Int(id.number)].place }

    func facts(of id: SchemaID) -> SchemaFacts {
        if let known = facts.withLock({ $0[id] }) { return known }
        let new = SchemaFacts(id, in: self)
        facts.withLock { $0[id] = new }
        return new
    }

    func schema(at uri: String) -> SchemaID? {
        let reference = URIReference(uri)
        guard var place = resourcePlaces[reference.resource.exact],
            let pointer = JSONPointer(fragment: "#" + (reference.fragment ?? ""))
        else { return nil }
        for token in pointer.tokens {
            guard let next = places.child(of: place, token) else { return nil }
            place = next
        }
        return placeNodes.indices.contains(Int(place)) ? SchemaID(ifAny: placeNodes[Int(place)]) : nil
    }

    /// The position of a schema in its file.
    func position(of id: SchemaID) -> JSONPosition { places[place(of: id)].value.position }

    /// The absolute URI of a schema, pointer included.
    func uri(of id: SchemaID) -> String { uri(of: place(of: id)) }

    /// The absolute URI of a place, pointer included.
    func uri(of place: Int32) -> String {
        resourceURIs[Int(places[place].resource)] + JSONPointer(tokens: places.path(of: place)).fragment
    }
}

/// The lists of a program that is being made.
struct ProgramDraft {
    var nodes: [SchemaNode] = []
    var applicators: [Applicator] = []
    var links: [Int32] = []
    var dynamicReferences: [DynamicReference] = []
    var values: [ValueSet] = []
    var numbers: [NumberRules] = []
    var strings: [StringRules] = []
    var arrays: [ArrayRules] = []
    var objects: [ObjectRules] = []
    var annotations: [Annotations] = []
}

/// The places of documents that compilation came by, each once, so that two ways to a schema end at one node.
struct PlaceTree: Sendable {
    struct Place: Sendable {
        var parent: Int32
        var token: String
        var document: Int32
        /// The innermost resource around it.
        var resource: Int32
        /// The rules by which schemas are read here, as a number of the compiler's.
        var rules: Int32
        var value: JSONValue
    }

    private struct Key: Hashable {
        var parent: Int32
        var token: ExactText
    }

    private(set) var places: [Place] = []
    private var children: [Key: Int32] = [:]

    subscript(number: Int32) -> Place { places[Int(number)] }

    func child(of parent: Int32, _ token: String) -> Int32? {
        children[Key(parent: parent, token: token.exact)]
    }

    mutating func add(_ place: Place) -> Int32 {
        let number = Int32(places.count)
        places.append(place)
        children[Key(parent: place.parent, token: place.token.exact)] = number
        return number
    }

    /// The names and indices from the root of the resource around a place.
    func path(of number: Int32) -> [String] {
        var tokens: [String] = []
        var number = number
        let resource = self[number].resource
        while self[number].parent >= 0, self[self[number].parent].resource == resource {
            tokens.append(self[number].token)
            number = self[number].parent
        }
        return tokens.reversed()
    }
}

/// Finds a property by name: an open-addressing table over a hash of the bytes.
///
/// The names are the schema's and the table is never extended, so an instance cannot make it slow.
struct PropertyIndex: Sendable {
    private struct Entry {
        var hash: UInt64
        /// The place of the name's bytes.
        var start: Int
        var count: Int
    }

    /// A property's number plus one, zero for a free slot; a power of two of them.
    private var slots: [Int32] = []
    private var entries: [Entry] = []
    /// The names one after the other.
    private var bytes: [UInt8] = []

    init() {}

    init(_ properties: [ObjectRules.Property]) {
        guard !properties.isEmpty else { return }
        var size = 4
        while size < properties.count * 2 { size *= 2 }
        slots = [Int32](repeating: 0, count: size)
        for (number, property) in properties.enumerated() {
            let name = Array(property.name.utf8)
            let hash = name.withUnsafeBytes(PropertyIndex.hash)
            entries.append(Entry(hash: hash, start: bytes.count, count: name.count))
            bytes += name
            var slot = Int(truncatingIfNeeded: hash) & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = Int32(number + 1)
        }
    }

    @inline(__always)
    func number(of name: String) -> Int? {
        guard !slots.isEmpty else { return nil }
        // Only a string that came from elsewhere lacks contiguous bytes.
        return name.utf8.withContiguousStorageIfAvailable { number(of: UnsafeRawBufferPointer($0)) }
            ?? Array(name.utf8).withUnsafeBytes { number(of: $0) }
    }

    @inline(__always)
    private func number(of name: UnsafeRawBufferPointer) -> Int? {
        let hash = PropertyIndex.hash(name)
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if entries[number].hash == hash, isEqual(name, to: entries[number]) { return number }
            slot = (slot + 1) & mask
        }
        return nil
    }

    @inline(__always)
    private func isEqual(_ name: UnsafeRawBufferPointer, to entry: Entry) -> Bool {
        guard name.count == entry.count else { return false }
        return bytes.withUnsafeBytes { all in
            var offset = 0
            while offset + 8 <= name.count {
                let left = name.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                let right = all.loadUnaligned(fromByteOffset: entry.start + offset, as: UInt64.self)
                if left != right { return false }
                offset += 8
            }
            while offset < name.count {
                if name[offset] != all[entry.start + offset] { return false }
                offset += 1
            }
            return true
        }
    }

    /// Mixes eight bytes at a time.
    @inline(__always)
    private static func hash(_ name: UnsafeRawBufferPointer) -> UInt64 {
        var value = UInt64(truncatingIfNeeded: name.count)
        var offset = 0
        while offset + 8 <= name.count {
            value = mixed(value ^ name.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < name.count {
            rest = rest << 8 | UInt64(name[offset])
            offset += 1
        }
        return mixed(value ^ rest)
    }

    @inline(__always)
    private static func mixed(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}
