/** The signed head of a log. */
export interface Head {
  /** Whose log it is: the name of its key. */
  readonly origin: string;
  /** How many entries it has. */
  readonly size: number;
  /** The head of their Merkle tree: 32 bytes. */
  readonly head: Uint8Array;
}

/** The hash of an entry, as a leaf of the tree. */
export function leafHash(entry: string | Uint8Array): Promise<Uint8Array>;

/** Whether an inclusion proof (RFC 9162, section 2.1.3.2) shows that a leaf is in the tree that a head names. */
export function isIncluded(leaf: Uint8Array, index: number, size: number, proof: readonly Uint8Array[], head: Uint8Array): Promise<boolean>;

/** Whether a consistency proof (RFC 9162, section 2.1.4.2) shows that a tree begins with all leaves of a smaller one. */
export function isConsistent(first: number, firstHead: Uint8Array, size: number, head: Uint8Array, proof: readonly Uint8Array[]): Promise<boolean>;

/**
 * Read a head (checkpoint) that the log's public key has signed.
 * @throws {TypeError} if it is none, or not signed under this key
 */
export function readHead(note: string, key: string): Promise<Head>;

/**
 * Check a proof that an entry, such as `report` with a digest behind it, is in a log.
 * @throws {TypeError} if it is no proof of this, or its head is not signed under this key
 */
export function checkEntry(proof: string, entry: string, key: string): Promise<Head>;

/**
 * Check a proof that a log still has all that an earlier head names.
 * @throws {TypeError} if it is no proof of this, or its head is not signed under this key
 */
export function checkGrowth(proof: string, earlier: Head, key: string): Promise<Head>;
