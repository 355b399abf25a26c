/** Why a file or a folder cannot be read, by the code of Node's error. */
const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'the name is too long',
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GB',
};

const UNWRITABLE: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file of that name is in the way',
  ELOOP: 'a folder in its path is a symbolic link',
  EISDIR: 'a folder of that name is in the way',
};

const UNFETCHED: Readonly<Record<string, string>> = {
  ...UNREADABLE,
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection broke',
  ENOTFOUND: 'no such host',
  UND_ERR_SOCKET: 'the connection broke',
};

/** A file as it was named, where `-` is the standard input. */
export const fileInWords = (name: string): string => (name === '-' ? 'the standard input' : name);

/** Why a file or a folder cannot be read, a clause. */
export const whyUnreadable = (error: unknown): string => clause(UNREADABLE, error);

/** Why a file cannot be written, a clause. */
export const whyUnwritable = (error: unknown): string => clause(UNWRITABLE, error);

/** Why a file cannot be fetched, a clause. The reason of a failed fetch is its cause. */
export const whyUnfetched = (error: unknown): string =>
  clause(UNFETCHED, (error as { readonly cause?: unknown }).cause ?? error);

function clause(clauses: Readonly<Record<string, string>>, error: unknown): string {
  const { code = '', message } = error as { readonly code?: string; readonly message: string };
  return clauses[code] ?? (code || message);
}
