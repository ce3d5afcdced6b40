import {randomBytes} from 'node:crypto'
import {keptFact, type SqlDatabase} from '../database.ts'
import type {AppOptions, LocalSlackOptions} from '../options.ts'
import {firstBot} from '../workspace/seed.ts'

/** An app as its makers see it under api.slack.com/apps: what it is, and its credentials. */
export interface App {
  id: string
  name: string
  clientId: string
  clientSecret: string
  signingSecret: string
  /** For Socket Mode. */
  appToken: string
  options: AppOptions
}

/** That of the options themselves first, Bosun. Credentials are made once per data file. */
export function openApps(database: SqlDatabase, options: LocalSlackOptions): [App, ...App[]] {
  const open = (id: string, name: string, declared: AppOptions): App => {
    const secret = (of: string, bytes = 16): string =>
      keptFact(database, `${of} ${id}`, () => randomBytes(bytes).toString('hex'))
    return {
      id,
      name,
      clientId: `1000000000.${secret('client_id', 6)}`,
      clientSecret: secret('client_secret'),
      signingSecret: secret('signing_secret'),
      appToken: `xapp-1-${id}-3000000000-${secret('app_token')}`,
      options: declared,
    }
  }
  const further = (options.apps ?? []).map(({id, name, ...declared}) => open(id, name, declared))
  return [open('A0BOSUN', options.name ?? firstBot.name, options), ...further]
}
