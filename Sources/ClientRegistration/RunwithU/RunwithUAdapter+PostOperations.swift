import ClientServices
import ClientTesting
import Foundation
import JSON

extension RunwithUAdapter {
    static let listOperations: [Operation] = [
        .value("getPosts") { try await $0.page(in: .community, after: RunwithUSample.cursor, size: 10) },
        .value("getPostsByHashtag") { try await $0.page(taggedWith: "한강", in: .community) },
        .value("getPostsILike") { try await $0.pageOfLikedPosts() },
        .value("getPostsOf") { try await $0.page(by: RunwithUSample.runner, size: 20) },
    ]

    static let postOperations: [Operation] = [
        Operation("uploadFiles", root: JSONPointer(tokens: ["files"])) { client in
            let jpeg = RunwithU.Attachment(Data([0xFF, 0xD8, 0xFF, 0xE0]), mediaType: "image/jpeg")
            return try CallValue(try await client.service.upload([RunwithUSample.picture, jpeg]))
        },
        Operation("createPost") { client in
            var draft = RunwithU.PostDraft.epilogue(
                title: "한강 10K 완주",
                content: "바람이 좋았어요 #한강 #10K",
                run: RunwithU.RunningInfo(
                    start: client.clock.now,
                    course: "여의도-반포",
                    minutes: 60,
                    difficulty: .moderate
                ),
                of: RunwithUSample.post
            )
            draft.files = ["uploads/posts/postImage_1725170012345.png"]
            return try CallValue(try await client.service.publish(draft))
        },
        .value("getPost") { try await $0.post(RunwithUSample.post) },
        Operation("editPost") { client in
            let changes = RunwithU.PostChanges(title: "한강 10K 완주!")
            return try CallValue(try await client.service.edit(RunwithUSample.post, changes))
        },
        .done("deletePost") { try await $0.deletePost(RunwithUSample.post) },
        .value("comment") { try await $0.comment("저도 갈게요", on: RunwithUSample.post) },
        .value("like", root: JSONPointer(tokens: ["like_status"])) {
            try await $0.setLike(true, of: RunwithUSample.post)
        },
        .value("like2", root: JSONPointer(tokens: ["like_status"])) {
            try await $0.setSecondLike(false, of: RunwithUSample.post)
        },
        .done("getFile") { _ = try await $0.file(at: "uploads/posts/postImage_1725170012345.png") },
    ]

    static let paymentOperations: [Operation] = [
        Operation("validatePayment") { client in
            let payment = RunwithU.Payment(
                id: "imp_123456789012",
                race: "66d40000e4b0a1d2c3f44001",
                orderNumber: "ios_1725690000"
            )
            return try CallValue(try await client.service.validate(payment))
        },
        .value("getMyPayments", root: JSONPointer(tokens: ["data"])) { try await $0.myReceipts() },
    ]
}
