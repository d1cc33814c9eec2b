import ClientServices
import ContractRunner
import Foundation
import JSONText

extension RunwithUAdapter {
    static let listOperations: [Operation] = [
        Operation("getPosts") { client in
            try CallValue(
                try await client.service.page(in: .community, after: RunwithUSample.cursor, size: 10)
            )
        },
        Operation("getPostsByHashtag") { client in
            try CallValue(try await client.service.page(taggedWith: "한강", in: .community))
        },
        Operation("getPostsILike") { client in
            try CallValue(try await client.service.pageOfLikedPosts())
        },
        Operation("getPostsOf") { client in
            try CallValue(try await client.service.page(by: RunwithUSample.runner, size: 20))
        },
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
        Operation("getPost") { client in
            try CallValue(try await client.service.post(RunwithUSample.post))
        },
        Operation("editPost") { client in
            let changes = RunwithU.PostChanges(title: "한강 10K 완주!")
            return try CallValue(try await client.service.edit(RunwithUSample.post, changes))
        },
        Operation("deletePost") { client in
            try await client.service.deletePost(RunwithUSample.post)
            return .nothing
        },
        Operation("comment") { client in
            try CallValue(try await client.service.comment("저도 갈게요", on: RunwithUSample.post))
        },
        Operation("like", root: JSONPointer(tokens: ["like_status"])) { client in
            try CallValue(try await client.service.setLike(true, of: RunwithUSample.post))
        },
        Operation("like2", root: JSONPointer(tokens: ["like_status"])) { client in
            try CallValue(try await client.service.setSecondLike(false, of: RunwithUSample.post))
        },
        Operation("getFile") { client in
            _ = try await client.service.file(at: "uploads/posts/postImage_1725170012345.png")
            return .nothing
        },
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
        Operation("getMyPayments", root: JSONPointer(tokens: ["data"])) { client in
            try CallValue(try await client.service.myReceipts())
        },
    ]
}
