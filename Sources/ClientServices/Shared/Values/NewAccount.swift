/// The sign-up data for a server that identifies users by email address and password.
public struct NewAccount: Codable, Sendable, Hashable {
    /// The email address for sign-in.
    public var email: String
    /// The password for sign-in, which the client does not store.
    public var password: String
    /// The public nickname.
    public var nickname: String
    /// The phone number, such as `010-1234-5678`.
    public var phoneNumber: String?
    /// The date of birth, in any format.
    public var birthday: String?

    /// Creates sign-up data.
    ///
    /// Servers require only the first three values.
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
