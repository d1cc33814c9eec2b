extension WhipIt {
    /// A user as others see one.
    public struct User: Codable, Sendable, Hashable, Identifiable {
        /// The server's identifier, 24 hexadecimal digits.
        public let id: String
        /// The name that others see.
        public var nickname: String
        /// The path of the user's picture for ``WhipItService/picture(at:)``, where there is one.
        public var picture: String?

        enum CodingKeys: String, CodingKey {
            case id = "_id"
            case nickname = "nick"
            case picture = "profile"
        }
    }
}
