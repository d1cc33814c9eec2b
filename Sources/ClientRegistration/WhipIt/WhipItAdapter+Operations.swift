import ClientServices
import ContractRunner

extension WhipItAdapter {
    static let mina = "656f1c0ac91bb39798f0a001"
    private static let jun = "656f1c0ac91bb39798f0a002"
    private static let post = "6574a979c91bb39798f0f1c1"
    private static let comment = "6574ab20c91bb39798f0f1d2"

    static let accountOperations: [ClientOperation<WhipItClient>] = [
        ClientOperation(
            "checkEmail",
            drops: [.init("/message", "The status says all that a screen needs, in any language.")],
            answers: [.init(409, "The address is taken, and that is what was asked.")]
        ) { client in
            _ = try await client.service.canJoin(email: "newcomer@example.com")
            return .nothing
        },
        ClientOperation("join") { client in
            let newcomer = NewAccount(
                email: "newcomer@example.com",
                password: "whip1234",
                nickname: "위핏이88",
                phoneNumber: "010-1234-5678"
            )
            return try CallValue(await client.service.join(newcomer))
        },
        ClientOperation(
            "login",
            role: .signIn,
            drops: [
                .init("/token", "The session keeps it and hands it to nobody."),
                .init("/refreshToken", "The session keeps it and hands it to nobody."),
            ]
        ) { client in
            try CallValue(await client.service.signIn(email: "mina@example.com", password: "whip1234"))
        },
        ClientOperation(
            "refresh",
            role: .refresh,
            drops: [.init("/token", "The session keeps it and hands it to nobody.")],
            answers: [.init(409, "The stored token is still good, so there is nothing to renew.")]
        ) { client in
            try await client.service.refreshSession()
            return .nothing
        },
        ClientOperation("withdraw", role: .signOut) { client in try CallValue(await client.service.withdraw()) },
    ]

    static let listOperations: [ClientOperation<WhipItClient>] = [
        ClientOperation("getPosts") { client in try CallValue(await client.service.page(of: .feed)) },
        ClientOperation("getPostsOfUser") { client in
            try CallValue(await client.service.page(of: .user(jun), after: post))
        },
        ClientOperation("getLikedPosts") { client in try CallValue(await client.service.page(of: .liked)) },
        ClientOperation("searchByHashtag") { client in
            try CallValue(await client.service.page(of: .hashtag("코트")))
        },
    ]

    static let postOperations: [ClientOperation<WhipItClient>] = [
        ClientOperation("createPost") { client in
            try CallValue(await client.service.publish(.coat(bytes: 2000)))
        },
        ClientOperation("getPost") { client in try CallValue(await client.service.post(post)) },
        ClientOperation("editPost") { client in
            try CallValue(await client.service.edit(post, to: WhipIt.PostDraft(text: "봄 코트 #ootd")))
        },
        ClientOperation("deletePost") { client in try CallValue(["_id": await client.service.deletePost(post)]) },
        ClientOperation("toggleLike") { client in
            try CallValue(["like_status": await client.service.toggleLike(of: post)])
        },
    ]

    static let commentOperations: [ClientOperation<WhipItClient>] = [
        ClientOperation("addComment") { client in
            try CallValue(await client.service.comment("정보 부탁드려요", on: post))
        },
        ClientOperation("deleteComment") { client in
            try CallValue(await client.service.deleteComment(comment, on: post))
        },
    ]

    static let profileOperations: [ClientOperation<WhipItClient>] = [
        ClientOperation("getMyProfile") { client in try CallValue(await client.service.myProfile()) },
        ClientOperation("editMyProfile") { client in
            try CallValue(await client.service.change(.picture(WhipIt.Picture(.bytes(500)))))
        },
        ClientOperation("getProfile") { client in try CallValue(await client.service.profile(of: jun)) },
        ClientOperation("follow") { client in try CallValue(await client.service.follow(jun)) },
        ClientOperation("unfollow") { client in try CallValue(await client.service.unfollow(jun)) },
    ]

    static let pictureOperations: [ClientOperation<WhipItClient>] = [
        ClientOperation("getPostPicture") { client in
            _ = try await client.service.picture(at: "uploads/posts/1702144377001.jpeg")
            return .nothing
        },
        ClientOperation("getProfilePicture") { client in
            _ = try await client.service.picture(at: "uploads/profiles/1702712363107.jpg")
            return .nothing
        },
    ]
}
