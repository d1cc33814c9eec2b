import ClientServices
import ClientTesting
import Foundation
import JSON

extension RunwithUAdapter {
    /// Stories about joining, logging in and writing in one's own name.
    static let accountStories: [String: Flow] = [
        "W5": { client, _ in
            // A Sunday evening run, eight days from now.
            let run = RunwithU.RunningInfo(
                start: client.clock.now.addingTimeInterval(8 * 86_400),
                in: TimeZone(secondsFromGMT: 9 * 3600) ?? .current,
                course: "올림픽공원"
            )
            let draft = RunwithU.PostDraft.invitation(
                title: "일요 저녁런",
                content: "같이 뛰어요",
                to: ["66c1f0a2e4b0a1d2c3f40002", "66c1f0a2e4b0a1d2c3f40003"],
                run: run
            )
            let post = try await client.service.publish(draft)
            _ = try await client.service.post(post.id)
        },
        "W8": { client, scene in
            // The user taps until the address is known to be free, and can join only then.
            for _ in 1...2 {
                do {
                    guard try await client.service.checkEmail("new@example.com").isAvailable else { return }
                    try await client.service.join(
                        NewAccount(email: "new@example.com", password: "run1234", nickname: "새내기")
                    )
                    return
                } catch {
                    await scene.report("showsError", true)
                }
            }
        },
        "W9": { client, scene in
            var account = NewAccount(email: "new@example.com", password: "run1234", nickname: "달리는 새내기")
            do {
                try await client.service.join(account)
            } catch {
                guard case RunwithUError.whitespaceInNickname = error else { throw error }
                await scene.report("nicknameError", "whitespace")
                account.nickname = "달리는새내기"
                try await client.service.join(account)
            }
            try await client.service.signIn(email: account.email, password: account.password)
            _ = try await client.service.myProfile()
        },
        "W10": { client, scene in
            let password = scene.variant == "server-error" ? "run1234" : "run12345"
            let outcome = await scene.outcome {
                try await client.service.signIn(email: "dahan@example.com", password: password)
            }
            await scene.report("showsError", .bool(outcome != nil))
            await scene.report("screen", outcome == nil ? "tabs" : "login")
            guard outcome == nil else { return }
            _ = try await client.service.myProfile()
            _ = try await client.service.page(in: .community)
        },
    ]
}
