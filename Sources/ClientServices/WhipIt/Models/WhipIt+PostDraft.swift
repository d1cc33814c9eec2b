import Foundation

extension WhipIt {
    /// A post that is to be published or changed.
    public struct PostDraft: Sendable, Hashable {
        /// Up to five pictures of up to ``WhipIt/Picture/largestInPost`` bytes each.
        public var pictures: [Picture]
        /// What its author says; words behind `#` become hashtags.
        public var text: String?
        /// The first picture's width by its height.
        public var pictureRatio: Double?

        /// Gathers what belongs to a post.
        public init(pictures: [Picture] = [], text: String? = nil, pictureRatio: Double? = nil) {
            self.pictures = pictures
            self.text = text
            self.pictureRatio = pictureRatio
        }

        func form(productID: String) -> MultipartBody {
            var form = MultipartBody()
            for picture in pictures { form.add("file", picture) }
            form.add("product_id", productID)
            if let text { form.add("content", text) }
            if let pictureRatio {
                // A decimal point wherever the user lives.
                form.add("content1", String(format: "%.2f", locale: Locale(identifier: "en_US_POSIX"), pictureRatio))
            }
            return form
        }
    }

    /// One thing of a profile that is to be changed.
    public enum ProfileChange: Sendable, Hashable {
        /// A picture of up to ``WhipIt/Picture/largestInProfile`` bytes.
        case picture(Picture)
        /// The name that others see; WhipIt allows 3 to 25 characters.
        case nickname(String)
        /// A telephone number such as `010-1234-5678`.
        case phoneNumber(String)
        /// A birthday, in whatever form.
        case birthday(String)

        var form: MultipartBody {
            var form = MultipartBody()
            switch self {
            case .picture(let picture): form.add("profile", picture)
            case .nickname(let name): form.add("nick", name)
            case .phoneNumber(let number): form.add("phoneNum", number)
            case .birthday(let day): form.add("birthDay", day)
            }
            return form
        }
    }
}
