#if canImport(EmbeddedFiles)
    import EmbeddedFiles
#endif

/// A file that is compiled into the program.
package enum EmbeddedFile {
    /// Its bytes, which live as long as the program; none where `EmbeddedFiles.c` has no such file.
    ///
    /// - Parameter name: the file's own name, such as `page.html`, `recipes.md` or `draft-07.json`.
    package static func bytes(of name: String) -> UnsafeBufferPointer<UInt8> {
        #if canImport(EmbeddedFiles)
            var count = 0
            let start = backlot_embedded_file(name, &count)
            return UnsafeBufferPointer(start: start, count: count)
        #else
            // Types are checked without C; no program is built so.
            return UnsafeBufferPointer(start: nil, count: 0)
        #endif
    }
}
