/** Whether a database's name is the address of a PostgreSQL; else it is a file's. */
export function isPostgres(path: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(path)
}
