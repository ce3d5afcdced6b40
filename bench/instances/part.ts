/** What all parts are told. */
export interface PartOptions {
  seed: string
  rounds: number
  threads: number
  /** Between two fragments of a reply. */
  everyMs: number
  /** How long a stopped instance stays so: from, to. */
  stopS: readonly [from: number, to: number]
  minutes: number
  deliveries: number
  perSecond: number
  tell: (line: string) => void
}
