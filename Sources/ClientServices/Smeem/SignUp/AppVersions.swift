extension Smeem {
    /// Which versions of the apps may be used, and what to tell somebody whose version is too old.
    public struct AppVersions: Codable, Sendable, Hashable {
        /// The title of the notice.
        public var title: String
        /// The text of the notice.
        public var content: String
        /// The versions on iOS.
        public var iOS: Range
        /// The versions on Android.
        public var android: Range

        /// The versions of one platform.
        public struct Range: Codable, Sendable, Hashable {
            /// The newest version.
            public var newest: VersionNumber
            /// The oldest version that may still be used.
            public var oldest: VersionNumber

            enum CodingKeys: String, CodingKey {
                case newest = "version"
                case oldest = "forceVersion"
            }

            /// Whether a version is too old to be used.
            public func excludes(_ version: VersionNumber) -> Bool { version < oldest }
        }

        enum CodingKeys: String, CodingKey {
            case title
            case content
            case iOS = "iosVersion"
            case android = "androidVersion"
        }
    }
}
