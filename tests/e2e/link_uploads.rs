//! Files that visitors send with a public link, through a proxy.

use formalize_tests::patience::until;
use formalize_tests::{Server, contents};
use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::client::started;
use crate::files::{address, folders, send_once, send_whole, upload};

/// The size at which a request that sends files takes a place.
const OF_PLACE: u64 = 256 << 10;

/// The size of the files, which is more. It is not only stored when it is complete.
const LARGE: usize = 320 << 10;

/// A page that visitors send.
struct LinkPage {
    address: String,
    path: String,
    /// When the page was made.
    made: String,
}

impl LinkPage {
    async fn open(server: &Server, url: &str) -> Self {
        let (_, secret) = url.split_once("/l/").unwrap();
        let mut page = Self {
            address: address(server).to_owned(),
            path: format!("/l/{secret}"),
            made: String::new(),
        };
        // A page that is sent too early is shown once more, with a time that is early enough.
        let post = reqwest::Client::new().post(format!("{}{}", server.base_url(), page.path));
        let post = post.header("content-type", "application/x-www-form-urlencoded");
        let shown = post.body("do=send").send().await.unwrap();
        assert_eq!(shown.status(), 422);
        let shown = shown.text().await.unwrap();
        let (_, made) = shown.split_once("name=\"made\" value=\"").unwrap();
        made.split_once('"').unwrap().0.clone_into(&mut page.made);
        page
    }

    /// The request that sends a file from the address of a visitor, as the proxy passes it on.
    fn request(&self, visitor: &str) -> Vec<u8> {
        let mut body = format!(
            "--cut\r\nContent-Disposition: form-data; name=\"made\"\r\n\r\n{}\r\n\
             --cut\r\nContent-Disposition: form-data; name=\"files.cv\"; filename=\"cv\"\r\n\r\n",
            self.made
        )
        .into_bytes();
        body.resize(body.len() + LARGE, b'x');
        body.extend_from_slice(b"\r\n--cut--\r\n");
        let head = format!(
            "POST {}?do=send HTTP/1.1\r\nHost: {}\r\nX-Forwarded-For: {visitor}\r\nConnection: close\r\n\
             Content-Type: multipart/form-data; boundary=cut\r\nContent-Length: {}\r\n\r\n",
            self.path,
            self.address,
            body.len()
        );
        [head.as_bytes(), &body].concat()
    }

    async fn send(&self, visitor: &str) -> String {
        send_once(&self.address, &self.request(visitor)).await.0
    }

    /// Sends all but the end of a request.
    async fn begin(&self, visitor: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).await.unwrap();
        let request = self.request(visitor);
        let beginning = &request[..request.len() - 9];
        stream.write_all(beginning).await.unwrap();
        stream
    }
}

/// A visitor is a link and a source. Each has two places, and all visitors together have half of them.
#[tokio::test(flavor = "multi_thread")]
async fn slow_uploads_of_a_visitor_do_not_block_others_of_the_same_link() {
    let arguments = ["--trusted-proxies=127.0.0.1", "--uploads-at-once=8"];
    let (installation, server) = started(&arguments).await;
    let client = installation.client(&server);
    let schema = json!({ "files": { "cv": { "allowedMimeTypes": ["*/*"] } } });
    let form = json!({ "dataFeedSchema": schema.to_string() });
    let form = client.form(form).await.unwrap();
    let link = json!({ "formIdentifier": form });
    let (_, link) = client.post("/formalize/form-links", &link).await.unwrap();
    let page = LinkPage::open(&server, link["url"].as_str().unwrap()).await;

    let folder = &folders(installation.command.folder())[0];
    let stored = || {
        let files = contents(folder).unwrap().into_iter();
        let sizes = files.filter_map(|file| file.metadata().ok().map(|file| file.len()));
        sizes.filter(|size| *size >= OF_PLACE).count()
    };
    let mut slow = Vec::new();
    for (visitor, expected) in [("198.51.100.1", 3), ("198.51.100.2", 6)] {
        assert_eq!(page.send(visitor).await, "303", "{visitor}");
        for _ in 0..2 {
            slow.push(page.begin(visitor).await);
        }
        // Sending meanwhile would take a place from them.
        until("both uploads have their places", async || {
            stored() == expected
        })
        .await;
        assert_eq!(page.send(visitor).await, "429", "{visitor}");
    }
    assert_eq!(page.send("198.51.100.3").await, "503");
    let (head, body) = upload(&server, &installation.token, &form, LARGE);
    let of_user = [head.as_bytes(), &body].concat();
    assert_eq!(send_whole(address(&server), &of_user).await, "201");
    slow.drain(..2);
    until("the places of the first are free", async || {
        page.send("198.51.100.3").await == "303"
    })
    .await;
    assert_eq!(page.send("198.51.100.2").await, "429");
    drop(slow);
    server.terminate().await.unwrap();
}
