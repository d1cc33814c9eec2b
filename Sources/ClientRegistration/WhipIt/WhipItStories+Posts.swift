import ClientServices
import ClientTesting
import JSON

extension WhipItAdapter {
    /// What users do with posts and what is below them.
    static let postFlows: [String: StoryFlow<WhipItClient>] = [
        "WI-16": { client, scene in
            let post = try await client.service.post("65800597c91bb39798f0f1ca")
            let heart = WhipIt.LikeButton(client.service, post: post, userID: mina)
            if scene.variant == "tapped-twice" {
                async let first = heart.tap()
                async let second = heart.tap()
                _ = try await (first, second)
            } else {
                try await heart.tap()
            }
        },
        "WI-18": { client, scene in
            switch scene.variant {
            case "profile":
                let picture = WhipIt.Picture(.bytes(2_000_000))
                let problem = await outcome { () throws(WhipItError) in
                    try await client.service.changeMyProfile(.picture(picture))
                }
                await scene.report("showsError", .bool(problem != nil))
            case "proxy":
                let problem = await outcome { () throws(WhipItError) in
                    _ = try await client.service.publish(.coat(bytes: 10_000_001))
                }
                await scene.report("showsError", .bool(problem != nil))
            default:
                let post = try await client.service.publish(.coat(bytes: 48_213))
                _ = try await client.service.page(of: .feed)
                for picture in post.pictures { _ = try await client.service.picture(at: picture) }
            }
        },
        "WI-22": { client, scene in
            let problem: WhipItError?
            if scene.variant == "post-gone" {
                let posts = try await client.service.page(of: .feed).elements
                problem = await outcome { () throws(WhipItError) in
                    if let newest = posts.first { _ = try await client.service.comment("정보 부탁드려요", on: newest.id) }
                }
                _ = try await client.service.page(of: .feed)
            } else {
                problem = await outcome { () throws(WhipItError) in
                    try await client.service.deleteComment(
                        "6574ab20c91bb39798f0f1d2",
                        on: "6574a979c91bb39798f0f1c1"
                    )
                }
            }
            switch problem?.status {
            case .notOwner: await scene.report("error", "not yours")
            case .notFound: await scene.report("error", "gone")
            default: await scene.report("error", .string("\(problem.map { "\($0)" } ?? "none")"))
            }
        },
    ]
}
