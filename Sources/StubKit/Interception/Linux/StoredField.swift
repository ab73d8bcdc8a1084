#if os(Linux)
  @_spi(Reflection) import Swift

  /// A stored property of a class, found by name and type in the runtime's own field metadata.
  ///
  /// URLSession on Linux keeps things internal that a `URLProtocol` needs. The offset is looked up, never assumed. If
  /// the property is missing or has another type, there is no `StoredField`, and its user takes its fallback.
  struct StoredField<Value> {
    private let offset: Int

    init?(_ name: String, of type: AnyClass) {
      guard let offset = offsetOfField(name, of: type, where: { $0 == Value.self }) else { return nil }
      self.offset = offset
    }

    // The pointers hold: the offset comes from the metadata of the object's class or of a superclass of it, and the
    // type found there is `Value`.
    func load(from object: AnyObject) -> Value {
      (Unmanaged.passUnretained(object).toOpaque() + offset).assumingMemoryBound(to: Value.self).pointee
    }

    func store(_ value: Value, in object: AnyObject) {
      (Unmanaged.passUnretained(object).toOpaque() + offset).assumingMemoryBound(to: Value.self).pointee = value
    }
  }

  /// Returns the offset of the stored property `name` that `type` itself declares, if its type is the expected one.
  func offsetOfField(_ name: String, of type: AnyClass, where isWanted: (Any.Type) -> Bool) -> Int? {
    FieldTable.of(type).fields.first { $0.name == name && isWanted($0.type) }?.offset
  }

  /// The stored properties that a class itself declares. The runtime takes long to resolve their types, so StubKit asks
  /// only once for each class.
  private struct FieldTable {
    struct Field {
      let name: String
      let offset: Int
      let type: Any.Type
    }

    private(set) var fields: [Field] = []

    private static let tables = Protected<[ObjectIdentifier: FieldTable]>([:])

    static func of(_ type: AnyClass) -> FieldTable {
      tables.withLock { tables in
        if let table = tables[ObjectIdentifier(type)] { return table }
        let table = FieldTable(type)
        tables[ObjectIdentifier(type)] = table
        return table
      }
    }

    private init(_ type: AnyClass) {
      // `_EachFieldOptions.classType`, which is declared as a variable and can therefore not be named here.
      let classType = _EachFieldOptions(rawValue: 1)
      _ = _forEachField(of: type, options: classType) { name, offset, fieldType, _ in
        fields.append(Field(name: String(cString: name), offset: offset, type: fieldType))
        return true
      }
    }
  }
#endif
