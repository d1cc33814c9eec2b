import ClientServices
import ClientTesting
import JSON

extension RunwithUAdapter {
    /// Stories about groups and invitations, which are liked by those who come along.
    static let groupStories: [String: Flow] = [
        "W13": { client, scene in
            let me = scene.variant == "fourth" ? "66c1f0a2e4b0a1d2c3f40003" : "66c1f0a2e4b0a1d2c3f40001"
            var group = try await client.service.group("66d3b000e4b0a1d2c3f43001")
            if !group.hasMember(me) {
                await scene.report("full", .bool(group.isFull))
                // Whoever is no member taps the button all the same.
                let current = group
                _ = await scene.outcome { try await client.service.join(current) }
                return
            }
            group = try await client.service.group(group.id)
            await scene.report("member", .bool(group.hasMember(me)))
        },
        "W15": { client, scene in
            let me = "66c1f0a2e4b0a1d2c3f40001"
            let invitation = try await client.service.invitation("66d3c000e4b0a1d2c3f45001")
            let shown = invitation.isAccepted(by: me)
            let outcome = await scene.outcome {
                try await client.service.answer(invitation.id, accepting: false)
            }
            await scene.report("accepted", .bool(outcome == nil ? false : shown))
            await scene.report("showsError", .bool(outcome != nil))
            if outcome != nil { try await client.service.answer(invitation.id, accepting: false) }
            let now = try await client.service.invitation(invitation.id)
            await scene.report("accepted", .bool(now.isAccepted(by: me)))
        },
    ]
}
