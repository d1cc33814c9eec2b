import Foundation

// Named as the server names them, so that no list of names can be wrong.

struct WhipItTwinUser: Codable, Sendable {
    var _id: String
    var nick: String
    var profile: String?
}

struct WhipItTwinComment: Codable, Sendable {
    var _id: String
    var content: String
    var time: String
    var creator: WhipItTwinUser?
}

struct WhipItTwinPost: Codable, Sendable {
    var _id: String
    var creator: WhipItTwinUser
    var time: String
    var title: String?
    var content: String?
    var content1: String?
    var content2: String?
    var content3: String?
    var content4: String?
    var content5: String?
    var product_id: String?
    var likes: [String]
    var image: [String]
    var hashTags: [String]
    var comments: [WhipItTwinComment]
}

struct WhipItTwinPage: Codable, Sendable {
    var data: [WhipItTwinPost]
    var next_cursor: String
}

struct WhipItTwinProfile: Codable, Sendable {
    var posts: [String]
    var followers: [WhipItTwinUser]
    var following: [WhipItTwinUser]
    var _id: String
    var nick: String
    var profile: String?
}

struct WhipItTwinMyProfile: Codable, Sendable {
    var posts: [String]
    var followers: [WhipItTwinUser]
    var following: [WhipItTwinUser]
    var _id: String
    var email: String
    var nick: String
    var phoneNum: String?
    var birthDay: String?
    var profile: String?
}

struct WhipItTwinJoined: Codable, Sendable {
    var _id: String
    var email: String
    var nick: String
}

struct WhipItTwinSession: Codable, Sendable {
    var _id: String
    var token: String
    var refreshToken: String
}

struct WhipItTwinDeleted: Codable, Sendable { var _id: String }

struct WhipItTwinDeletedComment: Codable, Sendable {
    var postID: String
    var commentID: String
}

struct WhipItTwinFollowing: Codable, Sendable {
    var user: String
    var following: String
    var following_status: Bool
}

extension WhipItTwinPost {
    /// The post as a client with these bugs has it.
    func read(with bugs: Set<WhipItBug>) throws(WhipItTwinProblem) -> WhipItTwinPost {
        func want(_ value: String?, _ bug: WhipItBug) throws(WhipItTwinProblem) {
            guard bugs.contains(bug), value == nil else { return }
            let context = DecodingError.Context(codingPath: [], debugDescription: "\(bug)")
            throw .undecodable(.valueNotFound(String.self, context))
        }
        try want(content1, .n1)
        try want(content, .n2)
        try want(product_id, .n3)
        for comment in comments { try want(comment.creator?.nick, .n5) }
        var post = self
        if bugs.contains(.n9) { post.content1 = nil }
        if bugs.contains(.n14) { post.time = ISO8601DateFormatter().date(from: time) == nil ? "now" : time }
        return post
    }
}
