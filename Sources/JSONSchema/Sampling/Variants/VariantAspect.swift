/// What a variant tries; when there are too many variants, every aspect keeps its share.
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
