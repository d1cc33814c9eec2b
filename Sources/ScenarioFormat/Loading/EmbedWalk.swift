import Basics
import HTTPCodec
import JSON

/// Follows what embeds bring along, and looks at each embed once, however many ways lead there.
struct EmbedWalk {
    struct Place: Hashable {
        var collection: Int
        var embed: Int
    }

    enum Mistake: Error {
        case circle([Place])
        case tooDeep
    }

    private let collections: [ItemCollection]
    private var numbers: [String: Int] = [:]
    private var heights: [Place: Int] = [:]
    private var path: [Place] = []

    init(_ collections: [ItemCollection]) {
        self.collections = collections
        for (number, collection) in collections.enumerated() { numbers[collection.name] = number }
    }

    /// Returns the number of items that are embedded in each other from here on.
    mutating func height(of place: Place) throws(Mistake) -> Int {
        if let known = heights[place] { return known }
        if path.contains(place) { throw .circle(path + [place]) }
        guard path.count < Embed.greatestDepth else { throw .tooDeep }
        path.append(place)
        defer { path.removeLast() }
        var height = 1
        let selection = collections[place.collection].embeds[place.embed].selection
        if let target = numbers[selection.collection] {
            for (index, next) in collections[target].embeds.enumerated() where selection.view.shows(next.pointer) {
                height = max(height, try self.height(of: Place(collection: target, embed: index)) + 1)
            }
        }
        guard height <= Embed.greatestDepth else { throw .tooDeep }
        heights[place] = height
        return height
    }

    func words(for places: [Place]) -> String {
        places.map { "\(collections[$0.collection].name) \(collections[$0.collection].embeds[$0.embed].pointer)" }
            .joined(separator: " → ")
    }
}
