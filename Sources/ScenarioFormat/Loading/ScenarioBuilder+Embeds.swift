import JSON

extension ScenarioBuilder {
    /// Items may show items that show items, but not themselves again, and not too many in each other.
    mutating func checkEmbedsEnd(_ collections: [ItemCollection]) {
        var walk = EmbedWalk(collections)
        for (number, collection) in collections.enumerated() {
            for index in collection.embeds.indices {
                let (message, advice): (String, String)
                do {
                    _ = try walk.height(of: EmbedWalk.Place(collection: number, embed: index))
                    continue
                } catch {
                    switch error {
                    case .circle(let places):
                        message = "what is embedded here embeds itself again: \(walk.words(for: places))"
                        advice = "leave out of \"show\" what leads back"
                    case .tooDeep:
                        message = "more than \(Embed.greatestDepth) items would be embedded in each other here"
                        advice = "leave out of \"show\" what leads further"
                    }
                }
                report(
                    "scenario/embed-circle",
                    message,
                    at: collection.embeds[index].selection.position,
                    advice: advice
                )
                return
            }
        }
    }
}

/// Follows what embeds bring along, and looks at each embed once, however many ways lead there.
private struct EmbedWalk {
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

    /// How many items are embedded in each other from here on.
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
