import Basics
import HTTPCodec
import Testing

struct Base64Tests {
    @Test(arguments: [
        ("", "", ""), ("f", "Zg==", "Zg"), ("fo", "Zm8=", "Zm8"), ("foo", "Zm9v", "Zm9v"),
        ("foob", "Zm9vYg==", "Zm9vYg"),
        ("fooba", "Zm9vYmE=", "Zm9vYmE"), ("foobar", "Zm9vYmFy", "Zm9vYmFy"), ("?~>", "P34+", "P34-"),
        ("??>", "Pz8+", "Pz8-"), ("???", "Pz8/", "Pz8_"),
    ])
    func `Base64 follows RFC 4648, and its URL-safe form comes back`(text: String, standard: String, urlSafe: String) {
        let bytes = Array(text.utf8)
        #expect(Base64.encode(bytes) == standard)
        #expect(Base64.encodeURL(bytes) == urlSafe)
        #expect(Base64.decodeURL(urlSafe.utf8) == bytes)
        #expect(Base64.decode(standard) == bytes)
    }

    @Test(arguments: ["Zg", "Zg=", "Zg===", "Z===", "Zm9v!AAA", "Zm 9", "Zm-v", "Zm_v", "é===", "Zh==", "=Zg=", "===="])
    func `What is not Base64 with its padding is not decoded`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(arguments: ["Zg==", "Z", "Zm9v!", "Zm 9v", "Zm+v", "Zm/v", "é", "Zm9vZ", "Zh", "Zm9"])
    func `What is not URL-safe Base64 without padding is not decoded`(text: String) {
        #expect(Base64.decodeURL(text.utf8) == nil)
    }
}
