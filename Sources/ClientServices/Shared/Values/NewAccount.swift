/// The sign-up data for a server that identifies users by address and password.
public struct NewAccount: Codable, Sendable, Hashable {
    /// The address to sign in with.
    public var email: String
    /// The password to sign in with; only the server keeps it.
    public var password: String
    /// The name that others will see.
    public var nickname: String
    /// A telephone number such as `010-1234-5678`.
    public var phoneNumber: String?
    /// The day of birth, in any format.
    public var birthday: String?

    /// Creates sign-up data; servers require only the first three values.
    public init(
        email: String,
        password: String,
        nickname: String,
        phoneNumber: String? = nil,
        birthday: String? = nil
    ) {
        self.email = email
        self.password = password
        self.nickname = nickname
        self.phoneNumber = phoneNumber
        self.birthday = birthday
    }

    enum CodingKeys: String, CodingKey {
        case email
        case password
        case nickname = "nick"
        case phoneNumber = "phoneNum"
        case birthday = "birthDay"
    }
}
