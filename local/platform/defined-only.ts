type Defined<Fields> = {[Name in keyof Fields]?: Exclude<Fields[Name], undefined>}

/** Without the fields that are `undefined`: a field that nobody gave is absent. */
export function definedOnly<Fields extends object>(fields: Fields): Defined<Fields>
export function definedOnly(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
