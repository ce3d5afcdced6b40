/** Something that is broken on purpose, and the line that has to fall short then. */
export interface Fault {
  name: string
  /** From the repository's root. */
  file: string
  /** Stands once in it. */
  find: string
  replace: string
  bench: string
  line: string
  /** Another form than the quick one: less of the bench, where that is enough. */
  args?: string
}
