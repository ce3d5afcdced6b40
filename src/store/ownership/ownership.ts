/**
 * Which instance works for what. Whoever may run beside others asks for names here (a workspace's id, an organization's,
 * or `duty:…`) and works for those alone that it has a claim on.
 */
export interface Ownership extends AsyncDisposable {
  /** Others may work with the same database. */
  readonly isShared: boolean
  /** These are to be somebody's. Doing it again changes nothing. */
  offer(names: readonly string[]): Promise<void>
  /** Nobody's any more; a claim on it here is left first. */
  withdraw(name: string): Promise<void>
  /** From now on it takes its share. */
  begin(owner: Owner): void
  /** What this instance owns now. */
  claims(): Iterable<Claim>
  /** A commit has found that somebody else owns it: the claim is over at once. */
  lost: (claim: Pick<Claim, 'name' | 'epoch'>) => void
  /** How many instances live, as far as is known. */
  instances: () => number
  /** Gives all back, side by side and each after `leave`, so that others have them within a second. */
  [Symbol.asyncDispose](): Promise<void>
}

/** That this instance works for a name, until it is over. */
export interface Claim {
  readonly name: string
  /** Changes with each owner: a commit of an earlier one fails. */
  readonly epoch: number
  /** Aborted once it is over: given back, and then `leave` was awaited before; or lost, and then it is called after. */
  readonly over: AbortSignal
  /**
   * Whether a call may still go out: not from the deadline on, which is before anybody else can own it. While the claim
   * is not over it may come back, where the database was away for a moment.
   */
  mayCall: () => boolean
}

/** What an instance does for the names that it owns. For one name `take` and `leave` come one after the other. */
export interface Owner {
  /** It owns this from now on. */
  take(claim: Claim): Promise<void>
  /** Whatever works for it has to stop: it is being given back, or was lost. Called once for each `take`. */
  leave(claim: Claim): Promise<void>
}
