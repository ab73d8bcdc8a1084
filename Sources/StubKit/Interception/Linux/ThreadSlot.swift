#if os(Linux)
  import Glibc

  /// A pointer that each thread has for itself. Defaults to `nil`.
  struct ThreadSlot: Sendable {
    private let key: pthread_key_t

    /// Returns `nil` if there is no memory for it.
    init?() {
      var key = pthread_key_t()
      guard pthread_key_create(&key, nil) == 0 else { return nil }
      self.key = key
    }

    var pointer: UnsafeRawPointer? {
      get { pthread_getspecific(key).map { UnsafeRawPointer($0) } }
      nonmutating set { pthread_setspecific(key, newValue) }
    }
  }
#endif
