// A thread of checkup.ts: says how the database is, and ends.
import {parentPort, workerData} from 'node:worker_threads'
import Database from 'better-sqlite3'

const sqlite = new Database(String(workerData), {
  readonly: true,
  fileMustExist: true,
  timeout: 5000,
})
const [first] = sqlite.pragma('quick_check(1)', {simple: false}) as {quick_check?: string}[]
sqlite.close()
parentPort?.postMessage(first?.quick_check ?? 'it said nothing')
