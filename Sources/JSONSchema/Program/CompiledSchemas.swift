import JSON

/// What a program is made of: flat lists, whose entries refer to each other by number.
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
    /// Where the nodes stand.
    let places: PlaceTree
    let resourceURIs: [String]

    init(_ draft: ProgramDraft, places: PlaceTree, resourceURIs: [String]) {
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
}
