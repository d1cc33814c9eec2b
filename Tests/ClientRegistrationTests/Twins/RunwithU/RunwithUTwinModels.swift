struct RunwithUTwinToken: Codable, Sendable {
    var accessToken: String
}

struct RunwithUTwinSession: Codable, Sendable {
    var user_id: String
    var email: String
    var nick: String
    var profileImage: String?
    var accessToken: String
    var refreshToken: String
}

struct RunwithUTwinJoined: Codable, Sendable {
    var user_id: String
    var email: String
    var nick: String
}

struct RunwithUTwinRunner: Codable, Sendable {
    var user_id: String
    var nick: String
    var profileImage: String?
}

struct RunwithUTwinProfile: Codable, Sendable {
    var user_id: String
    var email: String
    var nick: String
    var phoneNum: String?
    var birthDay: String?
    var profileImage: String?
    var followers: [RunwithUTwinRunner]
    var following: [RunwithUTwinRunner]
    var posts: [String]
}

struct RunwithUTwinComment: Codable, Sendable {
    var comment_id: String
    var content: String
    var createdAt: String
    var creator: RunwithUTwinRunner
}

struct RunwithUTwinPost: Codable, Sendable {
    var post_id: String
    var product_id: String?
    var title: String?
    var content: String?
    var content1: String?
    var content2: String?
    var content3: String?
    var content4: String?
    var content5: String?
    var price: Int?
    var createdAt: String
    var creator: RunwithUTwinRunner
    var files: [String]
    var likes: [String]
    var likes2: [String]
    var buyers: [String]?
    var hashTags: [String]
    var comments: [RunwithUTwinComment]

    /// The post as a client with these bugs reads it.
    func read(with bugs: Set<RunwithUBug>) throws(RunwithUTwinProblem) -> RunwithUTwinPost {
        var post = self
        if bugs.contains(.e2) {
            let members = [("product_id", product_id), ("title", title), ("content", content)]
            for (name, value) in members where value == nil {
                let context = DecodingError.Context(codingPath: [], debugDescription: "There is no \(name).")
                throw .undecodable(.dataCorrupted(context))
            }
        }
        if bugs.contains(.e12) { post.createdAt = String(createdAt.prefix(10)) }
        if bugs.contains(.e13) { post.comments.reverse() }
        return post
    }
}

struct RunwithUTwinPage: Codable, Sendable {
    var data: [RunwithUTwinPost]
    var next_cursor: String
}

struct RunwithUTwinFiles: Codable, Sendable {
    var files: [String]
}

struct RunwithUTwinDraft: Codable, Sendable {
    var product_id: String
    var title: String
    var content: String
    var content1: String
    var content2: String
    var content3: String?
    var content4: String?
    var files: [String]?
}

struct RunwithUTwinReceipt: Codable, Sendable {
    var buyer_id: String
    var post_id: String
    var merchant_uid: String
    var productName: String
    var price: Int
    var paidAt: String
}

struct RunwithUTwinReceipts: Codable, Sendable {
    var data: [RunwithUTwinReceipt]
}

/// What the payment provider answers.
struct RunwithUTwinCharge: Codable, Sendable {
    var success: Bool?
    var imp_uid: String?
    var merchant_uid: String
}
