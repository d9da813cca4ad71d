"""Runs all servers of an OpenStack Swift in one process: serve-swift.py FOLDER account:PORT container:PORT object:PORT proxy:PORT"""

import os
import sys

from swift.common.utils import eventlet_monkey_patch

eventlet_monkey_patch()

import eventlet
import eventlet.wsgi
from swift.common.ring import RingBuilder
from swift.common.utils import NullLogger
from swift.common.wsgi import SwiftHttpProtocol, loadapp

folder, *servers = sys.argv[1:]
ports = {role: int(port) for role, port in (server.split(":") for server in servers)}

# Each storage server has one device and one copy.
for role in ("account", "container", "object"):
    device = {"id": 0, "region": 1, "zone": 1, "weight": 1, "device": "d1", "meta": ""}
    here = {"ip": "127.0.0.1", "port": ports[role], "replication_ip": "127.0.0.1", "replication_port": ports[role]}
    ring = RingBuilder(2, 1, 0)
    ring.add_dev({**device, **here})
    ring.rebalance()
    ring.get_ring().save(os.path.join(folder, role + ".ring.gz"))

pool = eventlet.GreenPool(200)
for role, port in ports.items():
    app = loadapp(os.path.join(folder, role + ".conf"), global_conf={"log_name": role})
    listener = eventlet.listen(("127.0.0.1", port))
    # The same options as Swift's own servers: S3 clients need the original case of header names.
    options = {"protocol": SwiftHttpProtocol, "capitalize_response_headers": False}
    pool.spawn_n(eventlet.wsgi.server, listener, app, NullLogger(), **options)
pool.waitall()
