import HTTPCodec
import JSON
import ScenarioFormat

/// The person who uses the app on a device, as a case says.
struct User: Sendable {
    let bugCase: BugCase
    let design: ClientDesign
    let bug: Bug?
    let device: Device
    let seed: UInt64
    /// How long the user looks at a screen before touching it.
    var thought = Duration.milliseconds(300)
    /// Whether the app does one thing after the other.
    var isSequential = false
    /// The launch that is played, where each is a process of its own; all of them, one after the other, when `nil`.
    var onlyLaunch: Int?
    /// Lets something happen that the app does not do.
    let enact: @Sendable (Event.Action) async -> Void

    /// Does all of it, and returns what became of every request that was wanted.
    func play() async -> [Outcome] {
        var client = design.make(device, bug: bug)
        var launch = onlyLaunch ?? 1
        var outcomes: [Outcome] = []
        // Without that, nobody could tell a wrong clock from refreshes on purpose.
        if bugCase.clockError != .zero { await tellTime() }
        for action in onlyLaunch.map(bugCase.actions(ofLaunch:)) ?? bugCase.actions {
            await device.sleep(thought)
            switch action {
            case .load(let requests) where isSequential:
                for request in requests { outcomes += await client.load([request]) }
            case .load(let requests): outcomes += await client.load(requests)
            case .browse(let requests, let duration): outcomes += await browse(requests, duration, client)
            case .upload(let target, let pieces):
                outcomes.append(await client.upload(Self.file, to: target, pieces: pieces))
            case .signIn(let account): await client.signIn(as: account)
            case .signOutDuring(let requests, let duration) where isSequential:
                outcomes += await browse(requests, duration, client)
                await client.signOut()
            case .signOutDuring(let requests, let duration):
                let client = client
                async let rest = browse(requests, duration, client)
                await device.sleep(duration / 2)
                await client.signOut()
                outcomes += await rest
            case .signOut: await client.signOut()
            case .pass(let duration):
                await enact(.advance(duration))
                if bugCase.tellsTime { await tellTime() }
            case .launch:
                launch += 1
                client = await open(launch, with: nil)
            case .launchWith(let fault):
                launch += 1
                client = await open(launch, with: fault)
            }
        }
        return outcomes
    }

    private func tellTime() async {
        await device.tell(["now": .number(JSONNumber(Int(device.clock())))])
    }

    /// Starts the app again; a store that is locked is unlocked after a minute.
    private func open(_ launch: Int, with fault: StoreFault?) async -> any ReferenceClient {
        await enact(.launch(launch, store: fault))
        device.store.begin(with: fault)
        if fault == .locked {
            device.start {
                await device.sleep(.seconds(60))
                device.store.unlock()
                await device.tell(["storeFault": "none"])
            }
        }
        return await design.open(device, bug: bug)
    }

    private func browse(
        _ requests: [Request],
        _ duration: Duration,
        _ client: any ReferenceClient
    ) async -> [Outcome] {
        var chance = Moments(state: seed &+ 0xB0)
        if isSequential {
            var outcomes: [Outcome] = []
            for request in requests {
                await device.sleep(duration * Double.random(in: 0...1, using: &chance) / requests.count)
                outcomes += await client.load([request])
            }
            return outcomes
        }
        return await withTaskGroup(of: [Outcome].self) { group in
            for request in requests {
                let pause = duration * Double.random(in: 0...1, using: &chance)
                group.addTask {
                    await device.sleep(pause)
                    return await client.load([request])
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    private static let file = (0..<64).map { UInt8($0) }
}

extension BugCase {
    /// What is done from one start of the app to the next.
    fileprivate func actions(ofLaunch number: Int) -> [Action] {
        var launch = 1
        return actions.filter { action in
            if case .launch = action {
                launch += 1
                return false
            }
            return launch == number
        }
    }
}

/// When something is done (SplitMix64); `Golden/matrix.txt` counts on these very moments.
private struct Moments: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
