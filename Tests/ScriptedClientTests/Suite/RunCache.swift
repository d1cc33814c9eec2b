import Basics
import ScenarioFormat

/// Stories that have been loaded, each once for all tests.
///
/// A class, because tests on several threads share it.
final class RunCache: Sendable {
    private typealias Loaded = Result<[StoryRun], StoryRun.Unplayable>

    private final class Place: Sendable {
        let loaded = Lock<Loaded?>(nil)
    }

    private let files: any FileReading
    private let contracts = Contracts()
    private let memory = Lock(ParseCache())
    private let places = Lock<[String: Place]>([:])

    init(_ files: any FileReading) {
        self.files = files
    }

    /// The story of a file, and each of its variants.
    func runs(of path: String) throws(StoryRun.Unplayable) -> [StoryRun] {
        let place = places.withLock { places in
            let place = places[path] ?? Place()
            places[path] = place
            return place
        }
        return try place.loaded.withLock { loaded -> Loaded in
            if let loaded { return loaded }
            let result = Loaded { () throws(StoryRun.Unplayable) in
                try memory.withLock { memory throws(StoryRun.Unplayable) in
                    try StoryRun.all(in: path, files: files, contracts: contracts, remembering: &memory)
                }
            }
            loaded = result
            return result
        }
        .get()
    }
}
