import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The files that requests upload, and responses send.
extension MockBackend {
    /// Keeps the parts of a name as files, each with an item.
    mutating func keep(_ upload: ItemChange.Upload, in context: inout ExchangeContext) -> Problem? {
        guard let place = place(of: upload.collection, account: nil, caller: context.account) else { return nil }
        var found = FoundItems(upload.collection, as: .value(JSONPointer(tokens: ["path"])), isSingle: false)
        found.place = place
        for part in context.request.parts(upload.part) {
            guard store.hasRoom(in: place) else { return .tooManyItems(in: upload.collection) }
            context.uploadedPart = part
            let item = part.item(at: render(upload.path, in: &context))
            context.uploadedPart = nil
            let size = item.storedSize ?? 0
            guard hasRoom(for: size) else { return .tooMuchStored }
            let stored = store.add(item, size: size, to: place)
            store.keep(Array(part.body), of: stored)
            found.ids.append(stored.id)
            context.noteItemsChanged()
        }
        found.total = found.ids.count
        found.page = found.ids
        if let name = upload.boundName { context.bind(found, as: name) }
        return nil
    }

    /// The bytes and the media type of the file that was found under a name; `nil` if no file was found.
    func content(of name: String, in context: borrowing ExchangeContext) -> (bytes: [UInt8], type: String)? {
        context.foundNumber(of: name).flatMap { store.content(of: context.found[$0].items) }
    }
}

extension MultipartForm.Part {
    func value(of aspect: Placeholder.UploadAspect) -> JSONValue? {
        switch aspect {
        case .filename: filename.map(JSONValue.string)
        case .name: filename.map { .string(MediaTypes.name(of: $0)) }
        case .type: .string(mediaType)
        case .extension: .string(fileExtension)
        }
    }

    /// The item of the part, which is kept as a file with a path.
    fileprivate func item(at path: String) -> JSONValue {
        var item = JSONObject()
        item["path"] = .string(path)
        item["filename"] = .string(filename ?? "")
        item["type"] = .string(mediaType)
        item["size"] = .number(JSONNumber(body.count))
        return .object(item)
    }

    /// Its media type; plain bytes without one.
    fileprivate var mediaType: String { contentType ?? "application/octet-stream" }

    /// The extension of the file's name, otherwise the usual one of its type, otherwise "bin".
    fileprivate var fileExtension: String {
        let own = filename.map { MediaTypes.fileExtension(of: $0) } ?? ""
        return own.isEmpty ? MediaTypes.usualExtension(ofType: mediaType) ?? "bin" : own
    }
}
