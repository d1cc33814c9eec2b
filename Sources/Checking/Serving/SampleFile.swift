import Basics
import HTTPCodec
import JSON

/// The smallest useful body of a media type whose form no schema describes.
struct SampleFile {
    let bytes: [UInt8]
    /// The body as the string that a schema judges: a scalar for each byte of what is not text.
    let value: JSONValue

    /// - Returns: `nil` for media types that are made from a schema.
    init?(_ type: MediaType) {
        if let text = Self.text(type) {
            bytes = Array(text.utf8)
            value = .string(text)
        } else if BodyKind(type.essence) == .binary {
            bytes = Self.binary(type)
            var text = String.UnicodeScalarView()
            for byte in bytes { text.append(Unicode.Scalar(byte)) }
            value = .string(String(text))
        } else {
            return nil
        }
    }

    private static func text(_ type: MediaType) -> String? {
        switch type.essence {
        case "text/csv": "id,name\r\n1,amber\r\n2,cedar\r\n"
        case "text/html": "<!DOCTYPE html>\n<title>amber</title>\n<p>amber cedar\n"
        case "image/svg+xml": #"<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>"#
        default: nil
        }
    }

    private static func binary(_ type: MediaType) -> [UInt8] {
        switch type.essence {
        case "application/pdf": pdf
        case "application/gzip", "application/x-gzip": decoded("H4sIAAAAAAAAAwMAAAAAAAAAAAA=")
        case "application/zip", "application/x-zip-compressed": decoded("UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==")
        case "image/gif": decoded("R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=")
        case "image/jpeg", "image/jpg": decoded(jpeg)
        case "image/png":
            decoded("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg==")
        case "audio/wav", "audio/x-wav", "audio/wave":
            decoded("UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=")
        // Bytes that belong to no format.
        default: Array(0..<16)
        }
    }

    private static func decoded(_ text: String) -> [UInt8] { Base64.decode(text) ?? [] }

    /// One white pixel.
    private static let jpeg =
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBk"
        + "eFxlZ2P/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAB//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AQH//2Q=="

    /// An empty page (ISO 32000-1, section 7.5).
    private static let pdf: [UInt8] = {
        let objects = [
            "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>",
        ]
        var text = "%PDF-1.4\n"
        var table = "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for (number, object) in objects.enumerated() {
            let offset = String(text.utf8.count)
            table += String(repeating: "0", count: 10 - offset.utf8.count) + "\(offset) 00000 n \n"
            text += "\(number + 1) 0 obj\(object)endobj\n"
        }
        let start = text.utf8.count
        return Array(
            "\(text)\(table)trailer<</Size \(objects.count + 1)/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n".utf8
        )
    }()
}
