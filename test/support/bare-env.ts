/**
 * Nothing of this machine's settings may reach a process that is tested: the bot talks to the stand-ins alone. What was compiled once
 * is read again by hundreds of starts (`vitest.config.ts` names the folder).
 */
export const BARE_ENV = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
}
