/** How many files a post has, in its card and on its page. */

export const pictures = (count: number) => (count === 1 ? "1 picture" : `${count} pictures`);
export const videos = (count: number) => (count === 1 ? "1 video" : `${count} videos`);
export const fromTheWeb = (count: number) => (count === 1 ? "1 file from the web" : `${count} files from the web`);
