import type {Secret} from '../../security/secret.ts'
import type {InstallStore} from '../../store/installs.ts'
import {createInstallPages} from './install-pages.ts'
import {type Installs, type Serving, openInstalls} from './installs.ts'
import {openSingleInstall} from './single.ts'

interface EntranceOptions {
  serving: Serving
  store: InstallStore
  botToken: Secret | undefined
  credentials: Parameters<typeof createInstallPages>[0]['credentials'] | undefined
  publicUrl: string | undefined
}

/** By the one bot token, or by the installs in our table and the pages that make them. */
export async function openEntrance(
  {serving, store, botToken, credentials, publicUrl}: EntranceOptions,
  signal: AbortSignal,
): Promise<{installs: Installs; pages?: ReturnType<typeof createInstallPages>}> {
  if (botToken !== undefined) {
    return {installs: await openSingleInstall({...serving, token: botToken}, signal)}
  }
  if (credentials === undefined) throw new Error('Neither a bot token nor OAuth is configured')
  const installs = await openInstalls({...serving, credentials, store})
  const {keep} = installs
  return {installs, pages: createInstallPages({...serving, credentials, publicUrl, keep})}
}
