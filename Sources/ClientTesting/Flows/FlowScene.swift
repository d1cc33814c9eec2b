import Basics
import JSON
import StoryRunning
import StubServing

/// A launch of a story as its flow sees it.
///
/// A class, because whatever its flow says is kept in one place.
final class FlowScene<Adapter: ClientAdapter>: StoryScene {
    typealias Client = Adapter.Client

    let story: String
    let variant: String?
    let launch: Int
    private let server: StubServer
    private let cast: ClientInstances<Adapter>
    private let time: any ClientTime
    private let firstRefusal = Lock<String?>(nil)

    init(_ launch: StoryLaunch, _ cast: ClientInstances<Adapter>, in time: any ClientTime) {
        story = launch.story.storyID
        variant = launch.story.variantName
        self.launch = launch.number
        server = launch.server
        self.cast = cast
        self.time = time
    }

    /// Why a fact could not be taken in, as a sentence; `nil` when all were.
    var refusal: String? { firstRefusal.withLock { $0 } }

    func report(_ fact: String, _ value: JSONValue) async {
        var facts = JSONObject()
        facts[fact] = value
        let refusal = server.report(facts)
        if let refusal { firstRefusal.withLock { $0 = $0 ?? refusal } }
    }

    func client(on device: String) async throws -> Client { try await cast.client(on: device) }

    func wait(seconds: Double) async throws { try await time.sleep(seconds: seconds) }

    func outcome(of work: @Sendable () async throws -> Void) async -> String? {
        do {
            try await work()
            return nil
        } catch {
            return cast.adapter.name(of: error)
        }
    }
}
