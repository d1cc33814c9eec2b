import HTTPWire
import JSONText
import ScenarioFormat
import TestSupport

/// Somebody who uses the app on a device, as a scene says.
struct User: Sendable {
    let scene: Scene
    let design: ClientDesign
    let bug: Bug?
    let device: Device
    let seed: UInt64
    /// How long the user looks at a screen before touching it.
    var thought = Duration.milliseconds(300)
    /// Lets something happen that the app does not do.
    let enact: @Sendable (Event.Action) async -> Void

    /// Does all of it, and returns what became of every request that was wanted.
    func play() async -> [Outcome] {
        var client = design.make(device, bug: bug)
        var launch = 1
        var outcomes: [Outcome] = []
        // Without that, nobody could tell a wrong clock from refreshes on purpose.
        if scene.clockError != .zero { await device.tell(["now": .number(JSONNumber(Int(device.clock())))]) }
        for action in scene.actions {
            await device.sleep(thought)
            switch action {
            case .load(let requests): outcomes += await client.load(requests)
            case .browse(let requests, let duration): outcomes += await browse(requests, duration, client)
            case .upload(let target, let pieces):
                outcomes.append(await client.upload(Self.file, to: target, pieces: pieces))
            case .signIn(let account): await client.signIn(as: account)
            case .signOutDuring(let requests, let duration):
                let client = client
                async let rest = browse(requests, duration, client)
                await device.sleep(duration / 2)
                await client.signOut()
                outcomes += await rest
            case .signOut: await client.signOut()
            case .pass(let duration): await enact(.advance(duration))
            case .launch:
                launch += 1
                await enact(.launch(launch))
                client = design.make(device, bug: bug)
            }
        }
        return outcomes
    }

    private func browse(
        _ requests: [Request],
        _ duration: Duration,
        _ client: any ReferenceClient
    ) async -> [Outcome] {
        var chance = SeededGenerator(seed: seed &+ 0xB0)
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
