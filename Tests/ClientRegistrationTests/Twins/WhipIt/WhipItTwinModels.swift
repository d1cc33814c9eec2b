import Foundation

// Named as the server names them, so that no list of names can be wrong.

struct TwinUser: Codable, Sendable {
    var _id: String
    var nick: String
    var profile: String?
}

struct TwinComment: Codable, Sendable {
    var _id: String
    var content: String
    var time: String
    var creator: TwinUser?
}

struct TwinPost: Codable, Sendable {
    var _id: String
    var creator: TwinUser
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
    var comments: [TwinComment]
}

struct TwinPage: Codable, Sendable {
    var data: [TwinPost]
    var next_cursor: String
}

struct TwinProfile: Codable, Sendable {
    var posts: [String]
    var followers: [TwinUser]
    var following: [TwinUser]
    var _id: String
    var nick: String
    var profile: String?
}

struct TwinMyProfile: Codable, Sendable {
    var posts: [String]
    var followers: [TwinUser]
    var following: [TwinUser]
    var _id: String
    var email: String
    var nick: String
    var phoneNum: String?
    var birthDay: String?
    var profile: String?
}

struct TwinJoined: Codable, Sendable {
    var _id: String
    var email: String
    var nick: String
}

struct TwinSession: Codable, Sendable {
    var _id: String
    var token: String
    var refreshToken: String
}

struct TwinMessage: Codable, Sendable { var message: String }
struct TwinLike: Codable, Sendable { var like_status: Bool }
struct TwinDeleted: Codable, Sendable { var _id: String }

struct TwinDeletedComment: Codable, Sendable {
    var postID: String
    var commentID: String
}

struct TwinFollowing: Codable, Sendable {
    var user: String
    var following: String
    var following_status: Bool
}

extension TwinPost {
    /// The post as a client with these bugs has it.
    func read(with bugs: Set<WhipItBug>) throws(TwinProblem) -> TwinPost {
        func want(_ value: String?, _ bug: WhipItBug) throws(TwinProblem) {
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
