import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The person who uses a client on a device, as a habit's script says.
package struct HabitUser: Sendable {
    let habit: Habit
    let device: Device
    let connections: Connections
    /// How long the user looks at a screen before touching it.
    var thought = Duration.milliseconds(300)
    /// Lets something happen that the client does not do.
    let enact: @Sendable (Event.Action) async -> Void

    /// Does all of it.
    ///
    /// - Returns: what did not end as the script says, each as a sentence.
    func play() async -> [String] {
        var client = HabitClient(habit, device, connections)
        var launch = 1
        var problems: [String] = []
        if habit.has(.fastClock) { await tellTime() }
        await client.start()
        for step in habit.steps {
            if !step.isAtOnce { await device.sleep(thought) }
            if case .launch(let fault) = step.items.first?.action {
                launch += 1
                await enact(.launch(launch, store: fault))
                device.store.begin(with: fault)
                client = HabitClient(habit, device, connections)
                if fault == .locked { unlockLater() }
                await client.start()
                continue
            }
            problems += await withTaskGroup(of: String?.self) { [client] group in
                for item in step.items { group.addTask { await perform(item, client) } }
                return await group.reduce(into: []) { problems, problem in problem.map { problems.append($0) } }
            }
        }
        return problems
    }

    private func perform(_ item: Habit.Item, _ client: HabitClient) async -> String? {
        if item.delay > .zero { await device.sleep(item.delay) }
        switch item.action {
        case .call(let request):
            let call = device.start { await client.load(request, leaving: item.leaving) }
            if case .after(let duration) = item.leaving {
                device.start {
                    await device.sleep(duration)
                    call.cancel()
                }
            }
            return problem(await call.value, of: request, item)
        case .upload(let target):
            let outcome = await client.upload(to: target)
            return outcome.isDone || !habit.rules.isEmpty ? nil : "the upload ended with \(outcome)"
        case .signIn(let account): await client.signIn(as: account)
        case .signOut: await client.signOut()
        case .refresh: await client.refresh()
        case .wait(let duration):
            await enact(.advance(duration))
            if habit.has(.fastClock) || habit.has(.givesUpRefreshing) { await tellTime() }
        case .pause(let duration): await device.sleep(duration)
        case .event(let action): await enact(action)
        case .launch: return "a launch is a step of its own"
        }
        return nil
    }

    /// What a correct client should not have got.
    private func problem(_ outcome: Outcome, of request: Request, _ item: Habit.Item) -> String? {
        guard habit.rules.isEmpty, item.leaving == nil, !item.mayFail else { return nil }
        if let status = item.status, outcome.status == status { return nil }
        if item.status == nil, outcome.isDone { return nil }
        return "\(request.http.method.rawValue) \(request.http.target) ended with \(outcome)"
    }

    private func tellTime() async {
        await device.tell(["now": .number(JSONNumber(Int(device.clock())))])
    }

    private func unlockLater() {
        device.start {
            await device.sleep(.seconds(60))
            device.store.unlock()
            await device.tell(["storeFault": "none"])
        }
    }
}

extension Habit {
    /// The names of the devices that the client is on.
    var devices: [String] {
        has(.threeDevices) ? ["phone", "tablet", "watch"] : has(.twoDevices) ? ["phone", "tablet"] : ["phone"]
    }

    /// The processes of the client on a device; none where it is one.
    var processes: [String] {
        has(.threeProcesses) ? ["app", "widget", "share"] : has(.twoProcesses) ? ["app", "widget"] : []
    }

    /// How far the device's clock is ahead.
    var clockError: Duration { has(.fastClock) ? .seconds(7_200) : .zero }

    /// How many refreshes the story expects; any number of those that a broken client makes.
    private var count: String {
        let most = refreshes.upperBound == .max ? "" : ", \"atMost\": \(refreshes.upperBound)"
        return "{\"atLeast\": \(refreshes.lowerBound)\(most)}"
    }

    /// The story beside `habits.json`.
    var storyText: String {
        let given = devices.map { "{\"signIn\": \"\($0)\", \"account\": \"ann\", \"ago\": \"\(server.age)\"}" }
        var members = [
            #""extends": "habits.json", "id": "H", "title": "A habit""#,
            "\"given\": [\(given.joined(separator: ", "))]",
            "\"expect\": [{\(server.refreshPattern), \"status\": 200, \"count\": \(count)}]",
        ]
        if !processes.isEmpty {
            members.append("\"processes\": {\(processes.map { "\"\($0)\": \"start\"" }.joined(separator: ", "))}")
        }
        if !server.story.isEmpty { members.append(server.story) }
        return "{\(members.joined(separator: ", "))}"
    }
}
